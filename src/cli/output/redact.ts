import { isObject } from '../../contract/json.js';
import { PLACEHOLDER } from '../lib/placeholder.js';
import { maskedData } from './mask.js';

/**
 * What an answer may hold. `tokens`, `reactors`: objects of these, a list or a page of them. `reaction`: what a reactor
 * returned. `anything`: an answer of no known shape. `plain`: nothing sensitive.
 */
export type Redaction = 'tokens' | 'reactors' | 'reaction' | 'anything' | 'plain';

type Json = unknown;
type JsonObject = Record<string, Json>;

function mapValues(object: JsonObject, map: (value: Json, name: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]));
}

/** A token has its type and its containers beside its data; that is how it is known inside other JSON. */
function isToken(value: JsonObject): boolean {
  return 'data' in value && typeof value.type === 'string' && !('pagination' in value);
}

function maskToken(token: JsonObject): JsonObject {
  return mapValues(token, (value, name) => {
    if (name === 'data') return maskedData(value, token.mask);
    return name === 'enrichments' ? hideLeaves(value) : value;
  });
}

function hideConfiguration(configuration: Json): Json {
  return isObject(configuration) ? mapValues(configuration, () => PLACEHOLDER) : PLACEHOLDER;
}

/** Every primitive replaced, the shape kept. */
function hideLeaves(value: Json): Json {
  if (Array.isArray(value)) return value.map(hideLeaves);
  if (isObject(value)) return mapValues(value, hideLeaves);
  return value === null ? null : PLACEHOLDER;
}

/** `result` with whatever `input` did not hold replaced: of a detokenized document the plaintext. */
export function hideDetokenized(input: Json, result: Json): Json {
  if (Array.isArray(input) && Array.isArray(result))
    return result.map((item, index) => hideDetokenized(input[index], item));
  if (isObject(input) && isObject(result))
    return mapValues(result, (value, name) => hideDetokenized(input[name], value));
  return input === result ? result : hideLeaves(result);
}

/** Tokens masked wherever they stand. */
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

/** Nothing is known of the answer: tokens, configurations and keys are hidden wherever they may be. */
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

/** The answer as it may be shown. `--reveal` shows token data, never a key or a configuration value. */
export function redact(value: Json, holds: Redaction, reveal: boolean): Json {
  switch (holds) {
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
