import url from 'node:url';
import type { Json } from '../../../src/contract/json.js';
import { VisibleError } from '../visible-error.js';
import type { HostFunction } from './host-function.js';
import { URL_PARTS, type UrlPart } from './url-parts.js';

const urlParts = (parsed: URL): Json => Object.fromEntries(URL_PARTS.map((part) => [part, parsed[part]]));

/** Parsing is one native call, which no deadline can interrupt. Characters. */
const MAX_URL_LENGTH = 2_000_000;

/** @throws VisibleError the error that Node.js throws for an invalid URL */
function parseUrl(input: string, base?: string): URL {
  try {
    if (input.length > MAX_URL_LENGTH) throw new RangeError();
    return new URL(input, base);
  } catch {
    throw new VisibleError('Invalid URL', 'TypeError', 'ERR_INVALID_URL');
  }
}

/** Runs a function of the legacy `node:url` API and makes its errors visible to reactor code. */
function withVisibleErrors<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    const { name, message, code } = error as NodeJS.ErrnoException;
    throw new VisibleError(message, name, code);
  }
}

export const URL_FUNCTIONS: Record<string, HostFunction> = {
  parseUrl: (input) => {
    const { url: text, base } = input as { url: string; base?: string };
    return urlParts(parseUrl(text, base));
  },
  setUrlPart: (input) => {
    const { href, part, value } = input as { href: string; part: Exclude<UrlPart, 'origin'>; value: string };
    const target = parseUrl(href);
    if (part === 'href') return urlParts(parseUrl(value));
    target[part] = value;
    return urlParts(target);
  },
  parseParams: (input) => [...new URLSearchParams(input as string)],
  formatParams: (input) => new URLSearchParams(input as [string, string][]).toString(),
  legacyParse: (input) => {
    const { text, query, slashes } = input as { text: string; query: boolean; slashes: boolean };
    return withVisibleErrors(() => ({ ...url.parse(text, query, slashes) })) as unknown as Json;
  },
  legacyFormat: (input) => withVisibleErrors(() => url.format(input as url.UrlObject)),
  legacyResolve: (input) => {
    const { from, to } = input as { from: string; to: string };
    return withVisibleErrors(() => url.resolve(from, to));
  },
  domainToASCII: (input) => url.domainToASCII(String(input)),
  domainToUnicode: (input) => url.domainToUnicode(String(input)),
};
