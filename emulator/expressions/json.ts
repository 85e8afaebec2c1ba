export type { Json } from '../../src/contract/json.js';

/** Path of a property as error bodies write it: `data.routing_number`, `mask.2.name`. */
export function childPath(path: string, key: string | number): string {
  return path === '' ? String(key) : `${path}.${key}`;
}
