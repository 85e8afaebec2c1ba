/** Masks every text and number of a JSON value; property names stay. */
export function maskJson(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'number')
    return 'X'.repeat(Math.min(String(value).length, 12));
  if (Array.isArray(value)) return value.map(maskJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, maskJson(item)]));
}
