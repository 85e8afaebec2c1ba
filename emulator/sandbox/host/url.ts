import url from 'node:url';
import type { Json } from '../outcome.js';
import { VisibleError } from '../visible-error.js';
import type { Operation } from './registry.js';
import { URL_PARTS, type UrlPart } from './url-parts.js';

const partsOf = (parsed: URL): Json => Object.fromEntries(URL_PARTS.map((part) => [part, parsed[part]]));

/** No URL is longer; parsing is one native call that nothing can end. */
const MAX_URL = 2_000_000;

/** As Node.js throws it. */
function parsed(input: string, base?: string): URL {
  try {
    if (input.length > MAX_URL) throw new RangeError();
    return new URL(input, base);
  } catch {
    throw new VisibleError('Invalid URL', 'TypeError', 'ERR_INVALID_URL');
  }
}

/** `node:url` before the WHATWG standard; it throws on input that it cannot take. */
function legacy<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    const { name, message, code } = error as NodeJS.ErrnoException;
    throw new VisibleError(message, name, code);
  }
}

export const URLS: Record<string, Operation> = {
  parseUrl: (input) => {
    const { url: text, base } = input as { url: string; base?: string };
    return partsOf(parsed(text, base));
  },
  setUrlPart: (input) => {
    const { href, part, value } = input as { href: string; part: Exclude<UrlPart, 'origin'>; value: string };
    const target = parsed(href);
    if (part === 'href') return partsOf(parsed(value));
    target[part] = value;
    return partsOf(target);
  },
  parseParams: (input) => [...new URLSearchParams(input as string)],
  formatParams: (input) => new URLSearchParams(input as [string, string][]).toString(),
  legacyParse: (input) => {
    const { text, query, slashes } = input as { text: string; query: boolean; slashes: boolean };
    return legacy(() => ({ ...url.parse(text, query, slashes) })) as unknown as Json;
  },
  legacyFormat: (input) => legacy(() => url.format(input as url.UrlObject)),
  legacyResolve: (input) => {
    const { from, to } = input as { from: string; to: string };
    return legacy(() => url.resolve(from, to));
  },
  domainToASCII: (input) => url.domainToASCII(String(input)),
  domainToUnicode: (input) => url.domainToUnicode(String(input)),
};
