import { isObject, type Json } from '../../../../src/contract/json.js';

/**
 * Converts the property names of a request: `searchIndexes` becomes `search_indexes`. Names below the top level stay, since
 * they are those of data, metadata or masks.
 */
export function snakeCaseKeys(value: Json | undefined): Json | undefined {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [snakeCase(key), item]));
}

const snakeCase = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
