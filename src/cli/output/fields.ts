import { isObject } from '../../contract/json.js';
import { defineOwn } from '../lib/json.js';

type JsonObject = Record<string, unknown>;

/** The value at `metadata.customer`; undefined when there is none. */
export function valueAt(item: unknown, path: string): unknown {
  if (!isObject(item)) return undefined;
  // A metadata key may hold dots itself.
  if (Object.hasOwn(item, path)) return item[path];
  for (let dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
    const name = path.slice(0, dot);
    if (Object.hasOwn(item, name)) return valueAt(item[name], path.slice(dot + 1));
  }
  return undefined;
}

function put(target: JsonObject, path: string, value: unknown): void {
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) {
    defineOwn(target, name, value);
    return;
  }
  if (!isObject(target[name]) || !Object.hasOwn(target, name)) put(target, name, {});
  put(target[name] as JsonObject, rest.join('.'), value);
}

/** The item with these fields alone, in their order; one that it lacks is left out. */
export function pick(item: unknown, fields: readonly string[]): JsonObject {
  const picked: JsonObject = {};
  for (const field of fields) {
    const value = valueAt(item, field);
    if (value !== undefined) put(picked, field, value);
  }
  return picked;
}

/** A page of a list, as the API returns it. */
export function isPage(value: unknown): value is { pagination: JsonObject; data: unknown[] } {
  return isObject(value) && isObject(value.pagination) && Array.isArray(value.data);
}

/** The fields of each item of a list or page, or of one object. */
export function pickFields(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => pick(item, fields));
  if (isPage(value)) return { ...value, data: value.data.map((item) => pick(item, fields)) };
  return pick(value, fields);
}
