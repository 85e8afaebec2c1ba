import { jsonOf } from '../../../src/contract/json.js';

/** How much of a masked text's length is told. */
const SHOWN_LENGTH = 20;

/** Headers whose values say nothing of anybody. */
const OPEN_HEADERS = new Set([
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

const masked = (text: string): string => 'X'.repeat(Math.min(text.length, SHOWN_LENGTH));

/** What stands where names stand is shown, unless it may be a number or an address of somebody. */
const maskName = (text: string): string => (/[@%]|(?:\d\D*){4}/.test(text) ? masked(text) : text);

/**
 * The shape of a body without its contents: names stay, every text and number goes.
 * @param headers of the message: base64 and other texts look like a form, too
 */
export function maskBody(body: string, headers: Record<string, string>): string {
  const structure = jsonOf(body);
  if (structure !== undefined) return JSON.stringify(maskValue(structure));
  return isForm(headers) ? maskQuery(body) : masked(body);
}

const isForm = (headers: Record<string, string>): boolean =>
  Object.entries(headers).some(
    ([name, value]) =>
      name.toLowerCase() === 'content-type' && /^application\/x-www-form-urlencoded\b/i.test(value),
  );

function maskValue(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'number') return masked(String(value));
  if (Array.isArray(value)) return value.map(maskValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [maskName(key), maskValue(item)]));
}

function maskQuery(query: string): string {
  return [...new URLSearchParams(query)].map(([key, value]) => `${maskName(key)}=${masked(value)}`).join('&');
}

/** Without user info; the values of the query masked, and what in the path may be no name. */
export function maskUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return masked(text);
  const query = url.search ? `?${maskQuery(url.search.slice(1))}` : '';
  return `${url.origin}${url.pathname.split('/').map(maskName).join('/')}${query}`;
}

export function maskHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      OPEN_HEADERS.has(name.toLowerCase()) ? value : masked(value),
    ]),
  );
}
