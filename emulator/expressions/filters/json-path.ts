import { JSONPathEnvironment, JSONPathError, type JSONValue } from 'json-p3';
import { ExpressionFailure } from '../errors.js';
import { assertTextLength } from '../filter-checks.js';
import { MAX_DEPTH, MAX_QUERY_STEPS } from '../limits.js';
import { anyInput, defineFilter, text } from './define.js';

const environment = new JSONPathEnvironment({ maxRecursionDepth: MAX_DEPTH });
// Both evaluate a regular expression of the caller, whose time cannot be limited.
environment.functionRegister.delete('match');
environment.functionRegister.delete('search');

export const jsonPathFilter = defineFilter('json', anyInput, [text('path', '')], (value, path) =>
  path === '' ? toJsonText(value) : select(value as JSONValue, path),
);

export function toJsonText(value: unknown): string {
  assertTextLength(value);
  return JSON.stringify(value);
}

/** Returns the only match of a JSONPath (RFC 9535; decisions.md, "Expressions"). @throws ExpressionFailure on none or several */
function select(value: JSONValue, path: string): unknown {
  const matches = query(value, path);
  if (matches.length !== 1)
    throw new ExpressionFailure(`filter "json": the path must match one value; it matches ${matches.length}`);
  return matches[0]?.reduce<unknown>((found, key) => (found as Record<string, unknown>)[key], value);
}

/** Returns the locations of all matches. Reads are counted, since a path may visit the same nodes many times. */
function query(value: JSONValue, path: string): (string | number)[][] {
  try {
    return environment.query(withQuotedNames(path), withStepLimit(value)).nodes.map((node) => node.location);
  } catch (error) {
    if (!(error instanceof JSONPathError)) throw error;
    throw new ExpressionFailure(`filter "json": ${error.message.split(' (')[0]}`);
  }
}

/** Quotes names with hyphens, which RFC 9535 has in brackets only: `$.headers.X-Date`, a form of the API family. */
const withQuotedNames = (path: string): string =>
  /^[$\w.-]+$/.test(path) ? path.replace(/\.(\w+(?:-\w+)+)/g, "['$1']") : path;

function withStepLimit(value: JSONValue): JSONValue {
  let steps = 0;
  const views = new WeakMap<object, JSONValue>();
  const view = (target: unknown): JSONValue => {
    if (typeof target !== 'object' || target === null) return target as JSONValue;
    const cached = views.get(target);
    if (cached !== undefined) return cached;
    const proxy = new Proxy(target, { get: step, ownKeys }) as JSONValue;
    views.set(target, proxy);
    return proxy;
  };
  const spend = (amount: number) => {
    steps += amount;
    if (steps > MAX_QUERY_STEPS) throw new ExpressionFailure('filter "json": the path takes too many steps');
  };
  const step = (target: object, key: string | symbol) => {
    spend(1);
    return view(Reflect.get(target, key));
  };
  const ownKeys = (target: object) => {
    const keys = Reflect.ownKeys(target);
    spend(keys.length);
    return keys;
  };
  return view(value);
}
