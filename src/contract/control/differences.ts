import { typeOf } from '../json.js';
import type { RequestDifference } from './request-journal.js';

/** Lists where a value differs from the expected one: an object may have more properties, an array the same items. */
export function differencesOf(actual: unknown, expected: unknown, at: string): RequestDifference[] {
  if (expected === undefined) return [];
  if (actual === undefined) return [{ at, reason: 'missing' }];
  const type = typeOf(expected);
  if (typeOf(actual) !== type) return [{ at, reason: 'has another type' }];
  if (Array.isArray(expected) && Array.isArray(actual))
    return actual.length === expected.length
      ? expected.flatMap((item, index) => differencesOf(actual[index], item, `${at}[${index}]`))
      : [{ at, reason: 'has another length' }];
  if (type !== 'object') return actual === expected ? [] : [{ at, reason: 'differs' }];
  const properties = actual as Record<string, unknown>;
  return Object.entries(expected as Record<string, unknown>).flatMap(([name, value]) =>
    differencesOf(Object.hasOwn(properties, name) ? properties[name] : undefined, value, `${at}.${name}`),
  );
}

/** Says where a request differs, at most `most` times. */
export function describeDifferences(differences: readonly RequestDifference[], most: number): string[] {
  const named = differences
    .slice(0, most)
    .map(({ at, reason }) => `${at} ${reason === 'missing' ? 'is missing' : reason}`);
  return differences.length > most ? [...named, `and ${differences.length - most} more`] : named;
}
