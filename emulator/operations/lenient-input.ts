import type * as z from 'zod';
import { isObject } from '../../src/contract/json.js';
import { type OperationId, operationRow } from '../../src/contract/operations.js';
import { issuesOf } from '../../src/contract/validation.js';
import { startToPage } from './pagination.js';

/** The parts of a request that are validated. */
export interface LenientInput {
  query: unknown;
  body: unknown;
  /** The answer says where the next page starts. */
  byCursor?: boolean;
}

/** Rewrites the parts of a request before they are validated. @param resource the record that the path id names */
type Adapter = (input: LenientInput, resource: unknown) => LenientInput;

/**
 * Returns what `--lenient` makes of the requests of an operation, and of the `tokenize` part of a reactor's result: it accepts what
 * current clients of the API family send and the specification does not allow (decisions.md, "Newer generation of the API family").
 */
export function adapterOf(id: OperationId): Adapter {
  const { queryMaps = [], method, returns } = operationRow(id);
  const adaptBody = BODIES[id] ?? ((body) => body);
  return ({ query, body }, resource) => {
    const maps = isObject(query) ? adaptMaps(query, queryMaps) : query;
    const pageOfStart = method === 'GET' && returns === 'page' ? startToPage(maps) : undefined;
    return {
      query: pageOfStart ?? maps,
      body: adaptBody(body, resource),
      byCursor: pageOfStart !== undefined,
    };
  };
}

const BODIES: Partial<Record<OperationId, (body: unknown, resource: unknown) => unknown>> = {
  'reactors.create': addConfiguration,
  'reactors.replace': addConfiguration,
  'tokens.create': adaptCards,
  'tokenIntents.create': adaptCards,
  tokenize: adaptCards,
  'tokens.update': (body, token) =>
    isObject(body) && isObject(token) && token.type === 'card'
      ? { ...body, ...('data' in body && { data: adaptExpiration(body.data) }) }
      : body,
};

/** A reactor without `configuration` has an empty one. */
function addConfiguration(body: unknown): unknown {
  return isObject(body) ? { ...body, configuration: body.configuration ?? {} } : body;
}

/** Properties that change what a request means: they are ignored when they are null. */
const MEANINGFUL = new Set(['encrypted', 'token_intent_id']);

/** The paths that the record of a request has at most. */
export const MAX_IGNORED = 100;

/** Validates a body; a lenient emulator does without the properties that the contract does not know. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown, lenient: boolean) {
  const given = schema.safeParse(body);
  const known = lenient && given.error ? withoutUnknown(body, issuesOf(given.error)) : undefined;
  return known
    ? { result: schema.safeParse(known.body), ignored: known.ignored }
    : { result: given, ignored: undefined };
}

/** Drops properties that the contract does not know, or that may not be null and are. @returns undefined if there are none */
function withoutUnknown(body: unknown, issues: readonly z.core.$ZodIssue[]) {
  const copy = structuredClone(body);
  const ignored: string[] = [];
  for (const issue of issues) {
    const isUnknown = issue.code === 'unrecognized_keys';
    const path = isUnknown ? issue.path : issue.path.slice(0, -1);
    const fields = path.reduce((value, key) => (value as Record<PropertyKey, unknown>)?.[key], copy);
    if (!isObject(fields)) continue;
    for (const key of isUnknown ? issue.keys : issue.path.slice(-1).map(String)) {
      const isIgnored = fields[key] === null ? key !== 'data' : isUnknown && !MEANINGFUL.has(key);
      if (!isIgnored) continue;
      delete fields[key];
      ignored.push([...path, key].join('.'));
    }
  }
  return ignored.length === 0 ? undefined : { body: copy, ignored: ignored.slice(0, MAX_IGNORED) };
}

/** Converts the expiration of every card in the body, as POST /tokenize has several. */
function adaptCards(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(adaptCards);
  if (!isObject(value)) return value;
  if ('type' in value && 'data' in value) return adaptToken(value);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, adaptCards(part)]));
}

/** `encrypted: null` says that the data is not encrypted. */
function adaptToken({ encrypted, ...token }: Record<string, unknown>): unknown {
  const known = encrypted == null ? token : { ...token, encrypted };
  return token.type === 'card' ? { ...known, data: adaptExpiration(token.data) } : known;
}

const EXPIRATION = ['expiration_month', 'expiration_year'] as const;

/** Months and years may be strings of digits: `"06"`, `"2030"`. */
export function adaptExpiration(data: unknown): unknown {
  if (!isObject(data)) return data;
  const adapted = { ...data };
  for (const name of EXPIRATION) {
    const value = data[name];
    if (typeof value === 'string' && /^\d{1,4}$/.test(value)) adapted[name] = Number(value);
  }
  return adapted;
}

/** Filters may be written `metadata={"key":"value"}`, instead of `metadata.key=value`. */
function adaptMaps(query: Record<string, unknown>, maps: readonly string[]): Record<string, unknown> {
  const adapted: Record<string, unknown> = Object.create(null);
  for (const [parameter, value] of Object.entries(query))
    if (maps.includes(parameter)) Object.assign(adapted, parseMap(parameter, value));
    else adapted[parameter] = value;
  return adapted;
}

function parseMap(name: string, value: unknown): Record<string, unknown> {
  try {
    const map: unknown = JSON.parse(String(value));
    if (isObject(map))
      return Object.fromEntries(Object.entries(map).map(([key, part]) => [`${name}.${key}`, part]));
  } catch {
    // Validation rejects it.
  }
  return { [name]: value };
}
