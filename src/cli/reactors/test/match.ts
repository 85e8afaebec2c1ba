import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../contract/json.js';
import { usageError } from '../../lib/errors.js';

/** Where an answer is not what was expected. */
export interface Mismatch {
  /** `raw.amount`; empty: the whole. */
  path: string;
  /** What was expected, in words. */
  expected: string;
  /** What came; undefined: nothing. */
  actual: unknown;
}

type JsonObject = Record<string, unknown>;

/**
 * Objects that stand for what cannot be known beforehand, such as the id of a token:
 * `{ "$type": "string" }`, `{ "$match": "^pi_" }` (a regular expression), `{ "$contains": { … } }` (these properties at least).
 */
const MATCHERS: Record<string, (argument: unknown, actual: unknown, path: string) => Mismatch[]> = {
  $type: (type, actual, path) =>
    typeOf(actual) === type ? [] : [{ path, expected: `of type ${String(type)}`, actual }],
  $match: (pattern, actual, path) =>
    typeof actual === 'string' && regExp(pattern, path).test(actual)
      ? []
      : [{ path, expected: `a string that matches ${String(pattern)}`, actual }],
  $contains: (part, actual, path) => compare(part, actual, path, true),
};

function regExp(pattern: unknown, path: string): RegExp {
  try {
    return new RegExp(String(pattern), 'u');
  } catch {
    throw usageError(
      `$match for ${path || 'the answer'} must be a regular expression of JavaScript, flag u.`,
    );
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function matcherOf(expected: JsonObject): [string, unknown] | undefined {
  const [entry, ...others] = Object.entries(expected);
  return entry && others.length === 0 && Object.hasOwn(MATCHERS, entry[0]) ? entry : undefined;
}

function below(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function compareObjects(expected: JsonObject, actual: JsonObject, path: string, partly: boolean): Mismatch[] {
  const keys = new Set([...Object.keys(expected), ...(partly ? [] : Object.keys(actual))]);
  return [...keys].flatMap((key) => {
    const here = below(path, key);
    if (!Object.hasOwn(expected, key)) return [{ path: here, expected: 'nothing', actual: actual[key] }];
    return compare(expected[key], Object.hasOwn(actual, key) ? actual[key] : undefined, here, partly);
  });
}

function compare(expected: unknown, actual: unknown, path: string, partly: boolean): Mismatch[] {
  const matcher = isObject(expected) ? matcherOf(expected) : undefined;
  if (matcher) return MATCHERS[matcher[0]]?.(matcher[1], actual, path) ?? [];
  if (isObject(expected) && isObject(actual)) return compareObjects(expected, actual, path, partly);
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length)
    return expected.flatMap((item, index) => compare(item, actual[index], `${path}[${index}]`, partly));
  return isDeepStrictEqual(expected, actual) ? [] : [{ path, expected: JSON.stringify(expected), actual }];
}

/**
 * Where `actual` is not what was expected.
 * @param partly objects may hold more than is expected of them; otherwise all of it counts.
 */
export function mismatches(expected: unknown, actual: unknown, { partly }: { partly: boolean }): Mismatch[] {
  return compare(expected, actual, '', partly);
}
