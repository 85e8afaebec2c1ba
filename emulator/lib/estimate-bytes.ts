/** What an object or array, a property without its name, and any other value take, in bytes. */
const COMPOSITE_BYTES = 64;
const PROPERTY_BYTES = 16;
const LEAF_BYTES = 16;

/** Estimates the memory that a JSON value takes, in bytes. */
export function estimateBytes(value: unknown): number {
  if (typeof value === 'string') return LEAF_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return LEAF_BYTES;
  let bytes = COMPOSITE_BYTES;
  if (Array.isArray(value)) for (const item of value) bytes += PROPERTY_BYTES + estimateBytes(item);
  else
    for (const name in value)
      bytes += PROPERTY_BYTES + name.length + estimateBytes((value as Record<string, unknown>)[name]);
  return bytes;
}
