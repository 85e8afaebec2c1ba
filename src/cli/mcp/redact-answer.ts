import { isObject } from '../../contract/json.js';
import type { OperationId } from '../../contract/operations.js';
import { TOKEN_TYPES, type TokenTypeDefaults } from '../../contract/token-types.js';
import { PLACEHOLDER } from '../lib/placeholder.js';
import { maskData } from '../output/mask.js';
import { redact } from '../output/redact.js';

type Json = unknown;
type JsonObject = Record<string, Json>;

/** The most characters of a value that are shown as they are. */
const SHORT = 5;
/** Whether a value is masked as `reveal_last: 4` does: `XXXXXXXXXXXX4242`. */
export function isMasked(text: string): boolean {
  return /^[X-]+.{0,4}$/s.test(text);
}

const TYPES: Readonly<Record<string, TokenTypeDefaults>> = TOKEN_TYPES;

/** Hides every primitive that a default mask shows beyond the last digits of a number, such as a routing number. */
function hideLong(value: Json): Json {
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, hideLong(part)]));
  if (typeof value === 'object' && value !== null) return PLACEHOLDER;
  const text = String(value);
  return text.length <= SHORT || isMasked(text) ? value : PLACEHOLDER;
}

/**
 * Returns the data of a token as an agent sees it: at most what the default mask of its type shows, even if the mask of the
 * token or the application's transform shows more.
 */
function agentData(type: string, data: Json): Json {
  const { mask } = (Object.hasOwn(TYPES, type) && TYPES[type]) || {};
  // Applied to data that the service has masked differently, the mask finds nothing.
  const masked = mask === undefined ? undefined : maskData(data, mask);
  if (masked === undefined || (isObject(masked) && Object.keys(masked).length === 0)) return PLACEHOLDER;
  return hideLong(masked);
}

const isToken = (value: JsonObject): value is JsonObject & { type: string } =>
  typeof value.type === 'string' && Array.isArray(value.containers) && 'tenant_id' in value;

/** What the service computes from the data of a token, such as the BIN of a card. */
const COMPUTED = new Set(['card', 'bank', 'enrichments']);

function redactToken(token: JsonObject & { type: string }): JsonObject {
  const entries = Object.entries(token).filter(([name]) => !COMPUTED.has(name));
  return Object.fromEntries(
    entries.map(([name, value]) => [name, name === 'data' ? agentData(token.type, value) : value]),
  );
}

function redactTokens(value: Json): Json {
  if (Array.isArray(value)) return value.map(redactTokens);
  if (!isObject(value)) return value;
  if (isToken(value)) return redactToken(value);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, redactTokens(part)]));
}

/** Whether the responses of an operation hold tokens, and no keys or configurations. */
const holdsTokens = (id: OperationId): boolean => id === 'tokenize' || id.startsWith('tokens.');

/** Hides token data, keys and configuration values in the response of an operation. */
export function redactAnswer(id: OperationId, body: Json): Json {
  return holdsTokens(id) ? redactTokens(body) : redact(body, 'anything', false);
}
