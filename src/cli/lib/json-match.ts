import { isDeepStrictEqual } from 'node:util';
import { isObject, typeOf } from '../../contract/json.js';
import { usageError } from './errors.js';
import { hideSecrets } from './secrets.js';

export interface Mismatch {
  /** `raw.amount`, `raw.items[2].id`; empty for the whole value. */
  path: string;
  expected: string;
  /** The value found; undefined if there is none. */
  actual: unknown;
}

type JsonObject = Record<string, unknown>;

/**
 * Objects with one of these properties match values that are not known beforehand, such as the ID of a token:
 * `{ "$type": "string" }`, `{ "$match": "^pi_" }` (a regular expression), `{ "$contains": { … } }` (a partial object).
 */
const MATCHERS: Record<string, (argument: unknown, actual: unknown, path: string) => Mismatch[]> = {
  $type: (type, actual, path) =>
    typeOf(actual) === type ? [] : [{ path, expected: `of type ${String(type)}`, actual }],
  $match: (pattern, actual, path) =>
    typeof actual === 'string' && parseRegExp(pattern, path).test(actual)
      ? []
      : [{ path, expected: `a string that matches ${String(pattern)}`, actual }],
  $contains: (part, actual, path) => compare(part, actual, path, true),
};

function parseRegExp(pattern: unknown, path: string): RegExp {
  try {
    return new RegExp(String(pattern), 'u');
  } catch {
    throw usageError(
      `$match for ${path || 'the response'} must be a valid JavaScript regular expression (flag u).`,
    );
  }
}

function findMatcher(expected: JsonObject): [string, unknown] | undefined {
  const [entry, ...others] = Object.entries(expected);
  return entry && others.length === 0 && Object.hasOwn(MATCHERS, entry[0]) ? entry : undefined;
}

function compareObjects(
  expected: JsonObject,
  actual: JsonObject,
  path: string,
  partial: boolean,
): Mismatch[] {
  const keys = new Set([...Object.keys(expected), ...(partial ? [] : Object.keys(actual))]);
  return [...keys].flatMap((key) => {
    const keyPath = path === '' ? key : `${path}.${key}`;
    if (!Object.hasOwn(expected, key)) return [{ path: keyPath, expected: 'nothing', actual: actual[key] }];
    return compare(expected[key], Object.hasOwn(actual, key) ? actual[key] : undefined, keyPath, partial);
  });
}

function compare(expected: unknown, actual: unknown, path: string, partial: boolean): Mismatch[] {
  const matcher = isObject(expected) ? findMatcher(expected) : undefined;
  if (matcher) return MATCHERS[matcher[0]]?.(matcher[1], actual, path) ?? [];
  if (isObject(expected) && isObject(actual)) return compareObjects(expected, actual, path, partial);
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length)
    return expected.flatMap((item, index) => compare(item, actual[index], `${path}[${index}]`, partial));
  return isDeepStrictEqual(expected, actual) ? [] : [{ path, expected: JSON.stringify(expected), actual }];
}

/** @param partial objects may have properties that the expected value does not name; lists are always compared whole */
export const matchJson = (expected: unknown, actual: unknown, { partial }: { partial: boolean }) =>
  compare(expected, actual, '', partial);

const MAX_VALUE_CHARACTERS = 300;

export function formatActual(value: unknown): string {
  // Before it is cut: a part of a secret would not be recognized.
  const text = hideSecrets(JSON.stringify(value) ?? 'nothing');
  return text.length > MAX_VALUE_CHARACTERS ? `${text.slice(0, MAX_VALUE_CHARACTERS)}…` : text;
}
