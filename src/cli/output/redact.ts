import { isObject } from '../../contract/json.js';
import { PLACEHOLDER } from '../lib/placeholder.js';
import { maskData } from './mask.js';

/**
 * The kind of a response, which determines what must be hidden. `tokens`, `reactors`: an object, a list or a page of
 * these. `reaction`: the response of a reactor. `anything`: a response of unknown shape. `plain`: nothing sensitive.
 */
export type Redaction = 'tokens' | 'reactors' | 'reaction' | 'anything' | 'plain';

type Json = unknown;
type JsonObject = Record<string, Json>;

function mapValues(object: JsonObject, map: (value: Json, name: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]));
}

/** Recognizes a token inside other JSON by its data and type. */
function isToken(value: JsonObject): boolean {
  return 'data' in value && typeof value.type === 'string' && !('pagination' in value);
}

function maskToken(token: JsonObject): JsonObject {
  return mapValues(token, (value, name) => {
    if (name === 'data') return maskData(value, token.mask);
    return name === 'enrichments' ? hideLeaves(value) : value;
  });
}

function hideConfiguration(configuration: Json): Json {
  return isObject(configuration) ? mapValues(configuration, () => PLACEHOLDER) : PLACEHOLDER;
}

/** Replaces every primitive value and keeps the structure. */
function hideLeaves(value: Json): Json {
  if (Array.isArray(value)) return value.map(hideLeaves);
  if (isObject(value)) return mapValues(value, hideLeaves);
  return value === null ? null : PLACEHOLDER;
}

/** Hides every value of a detokenized document that differs from the input, since it came from a token. */
export function hideDetokenized(input: Json, result: Json): Json {
  if (Array.isArray(input) && Array.isArray(result))
    return result.map((item, index) => hideDetokenized(input[index], item));
  if (isObject(input) && isObject(result))
    return mapValues(result, (value, name) => hideDetokenized(input[name], value));
  return input === result ? result : hideLeaves(result);
}

/** Masks tokens at any depth. */
function maskTokens(value: Json): Json {
  if (Array.isArray(value)) return value.map(maskTokens);
  if (!isObject(value)) return value;
  return isToken(value) ? maskToken(value) : mapValues(value, maskTokens);
}

function hideReactors(value: Json): Json {
  if (Array.isArray(value)) return value.map(hideReactors);
  if (!isObject(value)) return value;
  return mapValues(value, (part, name) => {
    if (name === 'configuration') return hideConfiguration(part);
    return name === 'data' ? hideReactors(part) : part;
  });
}

const SECRET_NAMES = new Set(['key', 'api_key', 'webhook_secret', 'control_token']);

/** Hides tokens, configurations and keys at any depth of a response of unknown shape. */
function hideAnything(value: Json): Json {
  if (Array.isArray(value)) return value.map(hideAnything);
  if (!isObject(value)) return value;
  const shown = isToken(value) ? maskToken(value) : value;
  return mapValues(shown, (part, name) => {
    if (name === 'configuration') return hideConfiguration(part);
    if (SECRET_NAMES.has(name) && typeof part === 'string') return PLACEHOLDER;
    return name === 'data' && isToken(value) ? part : hideAnything(part);
  });
}

/** Redacts a response for output. `reveal` keeps token data, but never keys or configuration values. */
export function redact(value: Json, redaction: Redaction, reveal: boolean): Json {
  switch (redaction) {
    case 'plain':
      return value;
    case 'reactors':
      return hideReactors(value);
    case 'tokens':
    case 'reaction':
      return reveal ? value : maskTokens(value);
    case 'anything':
      return reveal ? hideSecrets(value) : hideAnything(value);
  }
}

function hideSecrets(value: Json): Json {
  if (Array.isArray(value)) return value.map(hideSecrets);
  if (!isObject(value)) return value;
  return mapValues(value, (part, name) => {
    if (name === 'configuration') return hideConfiguration(part);
    return SECRET_NAMES.has(name) && typeof part === 'string' ? PLACEHOLDER : hideSecrets(part);
  });
}
