import { METHODS, STATUS_CODES } from 'node:http';
import url from 'node:url';
import { MAX_HOST_LENGTH } from '../limits.js';
import { hasLongHost } from '../network/address.js';
import { VisibleError } from '../outcome.js';

const PARTS = Object.keys(Object.getOwnPropertyDescriptors(URL.prototype)).filter(
  (part) => typeof Reflect.get(new URL('about:blank'), part) === 'string',
);

const partsOf = (parsed: URL): object =>
  Object.fromEntries(PARTS.map((part) => [part, parsed[part as 'href']]));

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

function setUrlPart(href: string, part: 'href' | 'host' | 'hostname', value: string): object {
  const target = parseUrl(href);
  if (part === 'href') return partsOf(parseUrl(value));
  const text = String(value);
  const isTooLong = ['host', 'hostname'].includes(part) && hasLongHost(`http://${text}`);
  // As with any other value that is not valid, the URL stays as it is.
  if (PARTS.includes(part) && !isTooLong) target[part] = text;
  return partsOf(target);
}

/** Returns an empty text for a domain that is too long, as for any other that is not valid. */
const convertDomain = (domain: string, convert: (domain: string) => string): string =>
  domain.length > MAX_HOST_LENGTH ? '' : convert(domain);

export const URL_FUNCTIONS = {
  httpNames: () => ({ METHODS, STATUS_CODES }),
  parseUrl: (text: string, base?: string) => partsOf(parseUrl(text, base)),
  setUrlPart,
  parseParams: (text: string) => new URLSearchParams(String(text)),
  formatParams: (pairs: [string, string][]) => String(new URLSearchParams(pairs)),
  legacyParse: (text: string, query: boolean, slashes: boolean) => ({ ...url.parse(text, query, slashes) }),
  legacyFormat: (input: url.UrlObject | string) => url.format(input),
  legacyResolve: (from: string, to: string) => url.resolve(from, to),
  domainToASCII: (domain: string) => convertDomain(String(domain), url.domainToASCII),
  domainToUnicode: (domain: string) => convertDomain(String(domain), url.domainToUnicode),
};
