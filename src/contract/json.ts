export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Whether a value is an object: not null and not an array, for which `typeof` says the same. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Copies a JSON value with other texts, numbers, booleans and nulls, and with other names of properties. */
export function mapLeaves(
  value: unknown,
  mapLeaf: (leaf: unknown) => unknown,
  mapName = (name: string) => name,
): unknown {
  if (Array.isArray(value)) return value.map((item) => mapLeaves(item, mapLeaf, mapName));
  if (!isObject(value)) return mapLeaf(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [mapName(name), mapLeaves(part, mapLeaf, mapName)]),
  );
}

/** Parses a JSON text. @returns undefined when it is not valid JSON */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
