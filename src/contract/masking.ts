// Masks what is kept or shown of requests, responses and errors: in the request journal, traces and the dashboard.
import { holdsCardNumber } from './card-numbers.js';
import { isObject, jsonOf, mapLeaves } from './json.js';
import { RESOURCES } from './resources.js';

/** Characters of a masked text at most, so that long texts do not reveal their length. */
const MAX_MASK_LENGTH = 20;
const MASKS = Array.from({ length: MAX_MASK_LENGTH + 1 }, (_, length) => 'X'.repeat(length));

/** Headers whose values never hold personal data. */
const PLAIN_HEADERS: ReadonlySet<string> = new Set([
  ...'accept accept-encoding cache-control connection content-encoding content-length content-type'.split(
    ' ',
  ),
  ...'date host retry-after server transfer-encoding user-agent'.split(' '),
]);

export const maskText = (text: string): string => MASKS[Math.min(text.length, MAX_MASK_LENGTH)] as string;

/** Shows a name, unless it looks like a personal number or address. */
export const maskName = (text: string): string => (/[@%]|(?:\d\D*){4}/.test(text) ? maskText(text) : text);

/** Masks every text, number and personal name of a body. @param headers decide whether it is a form */
export function maskBody(body: string, headers: Record<string, string>): string {
  const structure = jsonOf(body);
  if (structure !== undefined) return JSON.stringify(mapLeaves(structure, maskLeaf, maskName));
  return isForm(headers) ? maskQuery(body) : maskText(body);
}

const isForm = (headers: Record<string, string>): boolean =>
  Object.entries(headers).some(
    ([name, value]) =>
      name.toLowerCase() === 'content-type' && /^application\/x-www-form-urlencoded\b/i.test(value),
  );

/** Properties that describe a request or response of the service and never hold token data, keys or configuration values. */
const DESCRIPTIVE: ReadonlySet<string> = new Set([
  ...Object.values(RESOURCES).flatMap(({ fields }) =>
    Object.entries(fields).flatMap(([name, { secret }]) => (secret ? [] : name)),
  ),
  ...'id tenant_id containers metadata mask fingerprint_expression expires_at deduplicate_token'.split(' '),
  ...'created_at created_by modified_at modified_by changed entity_type entity_id operation'.split(' '),
  ...'actor_id actor_type transform settings callback_url pagination page size'.split(' '),
  ...'title status detail errors instance'.split(' '),
]);

const DOCUMENT_OPERATIONS: ReadonlySet<string> = new Set(['tokenize', 'detokenize']);

/** An expression that names a token and its filters, and holds no text. */
const REFERENCE = /^\{\{[\w\s:.|,-]*\}\}$/;

const CARD_CHARACTERS = 13;

/** Shows a leaf that describes something or refers to a token, unless it is a card number, and masks any other. */
function showLeaf(leaf: string | number, isShown: boolean): string | number {
  const isText = typeof leaf === 'string';
  const isPlain = isShown || (isText && leaf.startsWith('{{') && REFERENCE.test(leaf));
  return isPlain && !(isText && leaf.length >= CARD_CHARACTERS && holdsCardNumber(leaf))
    ? leaf
    : maskText(String(leaf));
}

/**
 * Masks a request or response of the service by the origin of its values: what describes it is shown, and token data, arguments and
 * results of reactors, configuration values and keys are masked. Names of properties stay.
 * @param operation the one that the content belongs to, or `problem`; undefined for what is not a request of the service's own operations: all of it is masked
 */
export function maskContent(value: unknown, operation: string | undefined): unknown {
  const isDocument = operation === undefined || DOCUMENT_OPERATIONS.has(operation);
  return isDocument ? maskValues(value, false) : maskDescribed(value);
}

function maskDescribed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskDescribed);
  if (!isObject(value)) return maskValues(value, false);
  const isPage = 'pagination' in value;
  return mapProperties(value, (part, name) =>
    name === 'data' && isPage ? maskDescribed(part) : maskValues(part, DESCRIPTIVE.has(name)),
  );
}

/** A token wherever it stands, such as in the result of a reactor. */
const isToken = (value: Record<string, unknown>): boolean =>
  Array.isArray(value.containers) && typeof value.tenant_id === 'string';

function maskValues(value: unknown, isShown: boolean): unknown {
  if (typeof value === 'string' || typeof value === 'number') return showLeaf(value, isShown);
  if (Array.isArray(value)) return value.map((item) => maskValues(item, isShown));
  if (!isObject(value)) return value;
  if (!isShown && isToken(value)) return maskDescribed(value);
  return mapProperties(value, (part) => maskValues(part, isShown));
}

function mapProperties(value: Record<string, unknown>, map: (part: unknown, name: string) => unknown) {
  // A query may have a parameter of this name, which would become the prototype.
  const mapped: Record<string, unknown> = Object.hasOwn(value, '__proto__') ? Object.create(null) : {};
  for (const name of Object.keys(value)) mapped[name] = map(value[name], name);
  return mapped;
}

/** What may be personal data in a message, whatever is known: addresses, and numbers of four and more digits. */
const PERSONAL = /[\w.+-]+@[\w.-]+|\d(?:[ -]?\d){3,}/g;

/** Masks in the message of an error what it repeats of the values that the code works with, and what looks like personal data. */
export function maskMessage(message: string, values: unknown): string {
  const texts: string[] = [];
  mapLeaves(values, (leaf) => {
    if (typeof leaf === 'string' || typeof leaf === 'number') texts.push(String(leaf));
  });
  const known = texts.filter((text) => text.length > 1).sort((a, b) => b.length - a.length);
  return known.reduce((text, value) => text.replaceAll(value, maskText), message).replace(PERSONAL, maskText);
}

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
export function plainHeaders(headers: Readonly<Record<string, string | string[] | undefined>>) {
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
