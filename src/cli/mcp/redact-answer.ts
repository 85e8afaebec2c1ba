import { cardNumbersIn } from '../../contract/card-numbers.js';
import { isObject, mapLeaves } from '../../contract/json.js';
import type { OperationId } from '../../contract/operations.js';
import { TOKEN_TYPES, type TokenTypeDefaults } from '../../contract/token-types.js';
import { PLACEHOLDER } from '../lib/placeholder.js';
import { mapParts, maskData, redact } from '../output/redact.js';

type Json = unknown;
type JsonObject = Record<string, Json>;

/** The most characters of a value that are shown as they are. */
const SHORT = 5;
/** Whether a value is masked as `reveal_last: 4` does: `XXXXXXXXXXXX4242`. */
export const isMasked = (text: string): boolean => /^[X-]+.{0,4}$/s.test(text);

const TYPES: Readonly<Record<string, TokenTypeDefaults>> = TOKEN_TYPES;

/** Hides every primitive that a default mask shows beyond the last digits of a number, such as a routing number. */
function hideLong(value: Json): Json {
  if (isObject(value)) return mapParts(value, hideLong);
  if (typeof value === 'object' && value !== null) return PLACEHOLDER;
  const text = String(value);
  return text.length <= SHORT || isMasked(text) ? value : PLACEHOLDER;
}

/** Returns data as an agent sees it: at most what the default mask of its type shows, whatever mask or transform show. */
function agentData(type: string, data: Json): Json {
  const { mask } = (Object.hasOwn(TYPES, type) && TYPES[type]) || {};
  // Applied to data that the service has masked differently, the mask finds nothing.
  const masked = mask === undefined ? undefined : maskData(data, mask);
  if (masked === undefined || (isObject(masked) && Object.keys(masked).length === 0)) return PLACEHOLDER;
  return hideLong(masked);
}

const isToken = (value: JsonObject): value is JsonObject & { type: string } =>
  typeof value.type === 'string' && Array.isArray(value.containers) && 'tenant_id' in value;

/** What an agent sees of a token. A fingerprint would tell which tokens hold the same data; search indexes may be data. */
const SHOWN = new Set([
  ...['id', 'tenant_id', 'type', 'mask', 'containers', 'metadata', 'expires_at'],
  ...['created_by', 'created_at', 'modified_by', 'modified_at'],
]);

const SOCIAL_SECURITY_NUMBER = /\b\d{3}-\d{2}-\d{4}\b/g;

/** Hides what looks like data that people must not put into ids and metadata, whatever the tokens hold. */
function hideNumbers(text: string): string {
  const hidden = cardNumbersIn(text).reduceRight(
    (rest, { start, end }) => rest.slice(0, start) + PLACEHOLDER + rest.slice(end),
    text,
  );
  return hidden.replace(SOCIAL_SECURITY_NUMBER, PLACEHOLDER);
}

const hideNumbersIn = (value: Json): Json =>
  mapLeaves(value, (leaf) => (typeof leaf === 'string' ? hideNumbers(leaf) : leaf), hideNumbers);

function redactToken(token: JsonObject & { type: string }): JsonObject {
  const { data, ...rest } = token;
  const shown = Object.entries(rest).filter(([name]) => SHOWN.has(name));
  const properties = shown.map(([name, value]) => [name, name === 'mask' ? value : hideNumbersIn(value)]);
  return {
    ...Object.fromEntries(properties),
    ...(data !== undefined && { data: agentData(token.type, data) }),
  };
}

function redactTokens(value: Json): Json {
  if (Array.isArray(value)) return value.map(redactTokens);
  return isObject(value) && isToken(value) ? redactToken(value) : mapParts(value, redactTokens);
}

/** Fields whose change depends on the data of a token: an update with a guess changes nothing if the guess is right. */
const PROTECTED = new Set(['data', 'fingerprint']);

/** Removes from the names of changed fields what would tell an agent whether an update changed the data of a token. */
export function shownChanges(changed: readonly string[]): string[] {
  return changed.filter((name) => !PROTECTED.has(name));
}

const redactLog = (value: Json): Json =>
  mapParts(value, (part, name) =>
    name === 'changed' && Array.isArray(part) ? shownChanges(part) : redactLog(part),
  );

/** Hides token data, keys and configuration values in the response of an operation. */
export function redactAnswer(id: OperationId, body: Json): Json {
  // They hold no keys or configurations.
  if (id.startsWith('tokens.')) return redactTokens(body);
  return redact(id === 'logs.list' ? redactLog(body) : body, 'anything', false);
}
