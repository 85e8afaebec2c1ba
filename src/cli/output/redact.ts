import { isObject, mapLeaves } from '../../contract/json.js';
import { revealLast } from '../../contract/masking.js';
import { RESOURCES } from '../../contract/resources.js';
import { PLACEHOLDER } from '../lib/placeholder.js';

/**
 * The kind of a response, which determines what must be hidden. `tokens`, `reactors`: an object, a list or a page of
 * these. `reaction`: the response of a reactor. `anything`: a response of unknown shape. `plain`: nothing sensitive.
 */
export type Redaction = 'tokens' | 'reactors' | 'reaction' | 'anything' | 'plain';

type Json = unknown;
type JsonObject = Record<string, Json>;

/** Where a value comes from, which decides whether it is shown. */
type Origin = 'token data' | 'configuration' | 'key';

const CONFIGURATIONS = new Set(
  Object.values(RESOURCES).flatMap(({ fields }) =>
    Object.keys(fields).filter((name) => fields[name]?.secret),
  ),
);
const KEYS = new Set(['key', 'session_key', 'api_key', 'webhook_secret', 'control_token']);

/** Redacts a response for output. `reveal` keeps token data, but never keys or configuration values. */
export function redact(value: Json, redaction: Redaction, reveal: boolean): Json {
  switch (redaction) {
    case 'plain':
      return value;
    case 'reactors':
      return hide(value, ['configuration']);
    case 'tokens':
    case 'reaction':
      return reveal ? value : hide(value, ['token data']);
    case 'anything':
      return hide(value, reveal ? ['configuration', 'key'] : ['token data', 'configuration', 'key']);
  }
}

function hide(value: Json, origins: readonly Origin[]): Json {
  return mapParts(value, (part, name, parent) => {
    const origin = originOf(name, part, parent);
    if (origin !== undefined && origins.includes(origin)) return hidePart(part, name, parent, origin);
    // What else a token has is metadata of users.
    return isToken(parent) && !origins.includes('key') ? part : hide(part, origins);
  });
}

function originOf(name: string, part: Json, parent: JsonObject): Origin | undefined {
  if (isToken(parent) && (name === 'data' || name === 'enrichments')) return 'token data';
  if (CONFIGURATIONS.has(name)) return 'configuration';
  return KEYS.has(name) && typeof part === 'string' ? 'key' : undefined;
}

function hidePart(part: Json, name: string, { mask }: JsonObject, origin: Origin): Json {
  if (origin === 'token data') return name === 'data' ? maskData(part, mask) : hideLeaves(part);
  return isObject(part) ? mapParts(part, () => PLACEHOLDER) : PLACEHOLDER;
}

function isToken(value: JsonObject): boolean {
  return 'data' in value && typeof value.type === 'string' && !('pagination' in value);
}

export function mapParts(value: Json, map: (part: Json, name: string, parent: JsonObject) => Json): Json {
  if (Array.isArray(value)) return value.map((item) => mapParts(item, map));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, map(part, name, value)]));
}

const hideLeaves = (value: Json): Json => mapLeaves(value, (leaf) => (leaf === null ? null : PLACEHOLDER));

/** Hides every value of a detokenized document that differs from the input, since it came from a token. */
export function hideDetokenized(input: Json, result: Json): Json {
  if (Array.isArray(input) && Array.isArray(result))
    return result.map((item, index) => hideDetokenized(input[index], item));
  if (isObject(input) && isObject(result))
    return mapParts(result, (part, name) => hideDetokenized(input[name], part));
  return input === result ? result : hideLeaves(result);
}

const EXPRESSION = /^\{\{\s*data((?:\.\w+)*)\s*(?:[|,]\s*(\w+)\s*(?::\s*(\d+)\s*)?)?\}\}$/;

function lookUp(data: Json, path: string): Json {
  const read = (value: Json, name: string): Json =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, name)
      ? (value as JsonObject)[name]
      : undefined;
  return path.split('.').slice(1).reduce(read, data);
}

function evaluate(expression: string, data: Json): Json {
  const match = EXPRESSION.exec(expression.trim());
  if (!match) return expression.includes('{{') ? PLACEHOLDER : expression;
  const [, path = '', name, argument] = match;
  const value = lookUp(data, path);
  if (value === undefined || name === undefined) return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // The filters of the default masks. A mask with any other filter is not evaluated and hides the value.
  if (name === 'reveal_last' && argument !== undefined) return revealLast(text, Number(argument));
  return name === 'last4' && argument === undefined ? [...text].slice(-4).join('') : PLACEHOLDER;
}

function applyMask(mask: Json, data: Json): Json {
  if (typeof mask === 'string') return evaluate(mask, data);
  if (typeof mask !== 'object' || mask === null) return mask;
  if (Array.isArray(mask)) return mask.map((item) => applyMask(item, data) ?? null);
  const entries = Object.entries(mask).map(([name, part]) => [name, applyMask(part, data)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Masks a token's data, again if the service has. What masks with other filters than those of the default masks show is hidden. */
export function maskData(data: Json, mask: Json): Json {
  return mask === undefined || mask === null ? PLACEHOLDER : applyMask(mask, data);
}
