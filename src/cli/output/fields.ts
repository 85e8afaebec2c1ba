import { isObject } from '../../contract/json.js';
import { type CliError, usageError } from '../lib/errors.js';
import { setAtPath } from '../lib/json.js';

type JsonObject = Record<string, unknown>;

/** Returns the value at a path such as `metadata.customer`; undefined when there is none. */
export function valueAt(item: unknown, path: string): unknown {
  if (!isObject(item)) return undefined;
  // A metadata key can itself contain dots.
  if (Object.hasOwn(item, path)) return item[path];
  for (let dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
    const name = path.slice(0, dot);
    if (Object.hasOwn(item, name)) return valueAt(item[name], path.slice(dot + 1));
  }
  return undefined;
}

/** Returns only these fields of an item, in this order. Fields that the item does not have are omitted. */
export function pick(item: unknown, fields: readonly string[]): JsonObject {
  const picked: JsonObject = {};
  for (const field of fields) {
    const value = valueAt(item, field);
    if (value !== undefined) setAtPath(picked, field.split('.'), value);
  }
  return picked;
}

export function isPage(value: unknown): value is { pagination: JsonObject; data: unknown[] } {
  return isObject(value) && isObject(value.pagination) && Array.isArray(value.data);
}

export function pickFields(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => pick(item, fields));
  if (isPage(value)) return { ...value, data: value.data.map((item) => pick(item, fields)) };
  return pick(value, fields);
}

export const itemsOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : isPage(value) ? value.data : [value];

/** Checks `--json` against a result that the contract does not state. Some items may lack a field, and a list may be empty. */
export function assertFieldFound(
  value: unknown,
  fields: readonly string[],
  optional: readonly string[] = [],
): void {
  const items = itemsOf(value).filter((item) => !isObject(item) || Object.keys(item).length > 0);
  const isFound = (field: string) =>
    optional.includes(field.split('.', 1)[0] ?? '') ||
    items.some((item) => valueAt(item, field) !== undefined);
  if (items.length === 0 || fields.some(isFound)) return;
  const names = items.flatMap((item) => (isObject(item) ? Object.keys(item) : []));
  throw unknownFieldsError(fields, [...new Set([...names, ...optional])]);
}

export function unknownFieldsError(unknown: readonly string[], known: readonly string[]): CliError {
  const list = unknown.map((field) => JSON.stringify(field)).join(', ');
  return usageError(
    `--json: the result has no field ${list}.`,
    known.length > 0 ? `Fields: ${known.join(', ')}` : 'It is not an object: leave out the fields.',
  );
}
