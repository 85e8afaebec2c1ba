import { isObject, type Json } from '../../../../src/contract/json.js';

/**
 * The properties of a request in the service's own spelling: `searchIndexes` becomes `search_indexes`. Only the top
 * level: what lies below (data, metadata, a mask) has names of its own.
 */
export function snakeCaseKeys(value: Json | undefined): Json | undefined {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [snakeCase(key), item]));
}

const snakeCase = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
