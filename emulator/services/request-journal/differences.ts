import type { RequestDifference } from '../../../src/contract/control/request-journal.js';
import { isSameLeaf, type MaskedValue, typeOfMasked } from './masked-value.js';

/**
 * Lists where a value differs from the expected one. An object may have more properties than expected, an array must have the same
 * items.
 */
export function differencesOf(actual: MaskedValue, expected: MaskedValue, at: string): RequestDifference[] {
  if (expected === undefined) return [];
  if (actual === undefined) return [{ at, reason: 'missing' }];
  const type = typeOfMasked(expected);
  if (typeOfMasked(actual) !== type) return [{ at, reason: 'has another type' }];
  if (type === 'array') return arrayDifferences(actual as MaskedValue[], expected as MaskedValue[], at);
  if (type !== 'object') return isSameLeaf(actual, expected) ? [] : [{ at, reason: 'differs' }];
  const properties = actual as Record<string, MaskedValue>;
  return Object.entries(expected as Record<string, MaskedValue>).flatMap(([name, value]) =>
    differencesOf(Object.hasOwn(properties, name) ? properties[name] : undefined, value, `${at}.${name}`),
  );
}

function arrayDifferences(actual: MaskedValue[], expected: MaskedValue[], at: string): RequestDifference[] {
  if (actual.length !== expected.length) return [{ at, reason: 'has another length' }];
  return expected.flatMap((item, index) => differencesOf(actual[index], item, `${at}[${index}]`));
}
