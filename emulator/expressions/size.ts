/**
 * Measures the length of a value as JSON without building it. Stops at the limit, so that the time is bounded even when
 * an array contains the same large value many times.
 * @returns a number greater than `limit` when the value is longer
 */
export function jsonLength(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return primitiveLength(value);
  const open: object[] = [value];
  let length = 0;
  for (let item = open.pop(); item !== undefined && length <= limit; item = open.pop()) {
    length += 2;
    const isArray = Array.isArray(item);
    for (const key in item) {
      const child: unknown = (item as Record<string, unknown>)[key];
      if (!isArray) length += key.length + 3;
      if (typeof child === 'object' && child !== null) {
        length += 1;
        open.push(child);
      } else length += primitiveLength(child) + 1;
      if (length > limit) break;
    }
  }
  return length;
}

/** A number counts as one character, `null`, `true` and `false` as well: they cannot be long. */
function primitiveLength(value: unknown): number {
  return typeof value === 'string' ? value.length + 2 : 1;
}
