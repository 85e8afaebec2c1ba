import { MAX_MEASURED_DEPTH } from './limits.js';

/**
 * Measures the length of a value as JSON without building it. Stops at the limit, so that the time is bounded even when
 * an array contains the same large value many times.
 * @returns a number greater than `limit` when the value is longer, or nested deeper than JSON can be written
 */
export function jsonLength(value: unknown, limit: number, depth = 0): number {
  // A number counts as one character, `null`, `true` and `false` as well: they cannot be long.
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? value.length + 2 : 1;
  if (depth > MAX_MEASURED_DEPTH) return limit + 1;
  let length = 2;
  if (Array.isArray(value)) {
    for (const item of value) {
      length += 1 + jsonLength(item, limit - length, depth + 1);
      if (length > limit) break;
    }
    return length;
  }
  for (const key in value) {
    length += key.length + 4 + jsonLength((value as Record<string, unknown>)[key], limit - length, depth + 1);
    if (length > limit) break;
  }
  return length;
}
