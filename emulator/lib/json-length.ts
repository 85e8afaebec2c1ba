/**
 * The characters that a value counts as at least: about the length of a number with all its digits. Very many short values take
 * far more time and memory than one text of the same length.
 */
const MIN_VALUE_LENGTH = 16;
/** Nesting depth beyond which a value counts as too long. `JSON.stringify` fails a few thousand levels further down. */
const MAX_MEASURED_DEPTH = 1_000;

/**
 * Measures the length of a value as JSON without building it. Every value in it counts as at least 16 characters. Stops at the
 * limit, so that the time is bounded even when an array contains the same large value many times.
 * @returns a number greater than `limit` when the value is longer, or nested deeper than JSON can be written
 */
export function jsonLength(value: unknown, limit: number, depth = 0): number {
  if (typeof value === 'string') return Math.max(value.length + 2, MIN_VALUE_LENGTH);
  if (typeof value !== 'object' || value === null) return MIN_VALUE_LENGTH;
  if (depth > MAX_MEASURED_DEPTH) return limit + 1;
  let length = MIN_VALUE_LENGTH;
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
