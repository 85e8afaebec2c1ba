// Masks what is kept or shown of requests and responses, whatever they hold: in the request journal, traces and the dashboard.
import { jsonOf, mapLeaves } from './json.js';

/** Characters of a masked text at most, so that long texts do not reveal their length. */
const MAX_MASK_LENGTH = 20;
/** The masks by their length. */
const MASKS = Array.from({ length: MAX_MASK_LENGTH + 1 }, (_, length) => 'X'.repeat(length));

/** Headers whose values never hold personal data. */
const PLAIN_HEADERS = new Set([
  'accept',
  'accept-encoding',
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'host',
  'retry-after',
  'server',
  'transfer-encoding',
  'user-agent',
]);

export const maskText = (text: string): string => MASKS[Math.min(text.length, MAX_MASK_LENGTH)] as string;

/** Shows a name, unless it looks like a personal number or address. */
export const maskName = (text: string): string => (/[@%]|(?:\d\D*){4}/.test(text) ? maskText(text) : text);

/**
 * Masks every text and number of a body; property names stay.
 * @param headers decide whether the body is a form, because base64 and other texts look like one
 */
export function maskBody(body: string, headers: Record<string, string>): string {
  const structure = jsonOf(body);
  if (structure !== undefined) return JSON.stringify(maskJson(structure));
  return isForm(headers) ? maskQuery(body) : maskText(body);
}

const isForm = (headers: Record<string, string>): boolean =>
  Object.entries(headers).some(
    ([name, value]) =>
      name.toLowerCase() === 'content-type' && /^application\/x-www-form-urlencoded\b/i.test(value),
  );

/** Masks every text and number of a JSON value, and the property names that look like personal data. */
export const maskJson = (value: unknown): unknown => mapLeaves(value, maskLeaf, maskName);

const maskLeaf = (leaf: unknown) =>
  typeof leaf === 'string' || typeof leaf === 'number' ? maskText(String(leaf)) : leaf;

function maskQuery(query: string): string {
  return [...new URLSearchParams(query)]
    .map(([key, value]) => `${maskName(key)}=${maskText(value)}`)
    .join('&');
}

/** Removes the user info of a URL and masks its query values and the path segments that look like personal data. */
export function maskUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return maskText(text);
  const query = url.search ? `?${maskQuery(url.search.slice(1))}` : '';
  return `${url.origin}${url.pathname.split('/').map(maskName).join('/')}${query}`;
}

/** Characters of a header that is kept at most. A part of a longer one would keep all of it in memory. */
const MAX_HEADER_LENGTH = 200;

/** Returns the headers that never hold personal data, unless they are long. */
export function plainHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const name of PLAIN_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string' && value.length <= MAX_HEADER_LENGTH) plain[name] = value;
  }
  return plain;
}

export function maskHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      PLAIN_HEADERS.has(name.toLowerCase()) ? value : maskText(value),
    ]),
  );
}

/** The only separator that `reveal_last` does not mask (decisions.md, "Expressions"). */
const SEPARATOR = '-';

/** The filter `reveal_last`: masks all characters but the last ones. */
export function revealLast(value: string, count: number, maskChar = 'X'): string {
  const characters = [...value];
  const masked = characters.length - count;
  return characters.map((c, index) => (index < masked && c !== SEPARATOR ? maskChar : c)).join('');
}
