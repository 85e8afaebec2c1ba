import { METHODS, STATUS_CODES } from 'node:http';
import url from 'node:url';
import type { Json } from '../../../src/contract/json.js';
import { MAX_HOST_LENGTH } from '../limits.js';
import { hasLongHost } from '../network/address.js';
import { VisibleError, withVisibleErrors } from '../outcome.js';
import type { HostFunction } from './services.js';
import { URL_PARTS, type UrlPart } from './url-parts.js';

const urlParts = (parsed: URL): Json => Object.fromEntries(URL_PARTS.map((part) => [part, parsed[part]]));

const HOST_PARTS: ReadonlySet<UrlPart> = new Set<UrlPart>(['host', 'hostname']);

/** @throws VisibleError the error that Node.js throws for an invalid URL */
function parseUrl(input: string, base?: string): URL {
  // Reactor code can replace the texts that cross the boundary by values whose text is another one.
  const [text, baseText] = [String(input), base === undefined ? undefined : String(base)];
  try {
    if (hasLongHost(text) || hasLongHost(baseText ?? '')) throw new RangeError();
    return new URL(text, baseText);
  } catch {
    throw new VisibleError('Invalid URL', 'TypeError', 'ERR_INVALID_URL');
  }
}

/** Returns an empty text for a domain that is too long, as for any other that is not valid. */
const convertDomain = (domain: string, convert: (domain: string) => string): string =>
  domain.length > MAX_HOST_LENGTH ? '' : convert(domain);

export const URL_FUNCTIONS: Record<string, HostFunction> = {
  httpNames: () => ({ METHODS, STATUS_CODES }) as Json,
  parseUrl: (input) => {
    const { url: text, base } = input as { url: string; base?: string };
    return urlParts(parseUrl(text, base));
  },
  setUrlPart: (input) => {
    const { href, part, value } = input as { href: string; part: Exclude<UrlPart, 'origin'>; value: string };
    const target = parseUrl(href);
    if (part === 'href') return urlParts(parseUrl(value));
    const text = String(value);
    // As with any other value that is not valid, the URL stays as it is.
    if (!(HOST_PARTS.has(part) && hasLongHost(`http://${text}`))) target[part] = text;
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
  domainToASCII: (input) => convertDomain(String(input), url.domainToASCII),
  domainToUnicode: (input) => convertDomain(String(input), url.domainToUnicode),
};
