export type { Json } from '../../src/contract/json.js';

/** Joins a property path as in error bodies: `data.routing_number`, `mask.2.name`. */
export function childPath(path: string, key: string | number): string {
  return path === '' ? String(key) : `${path}.${key}`;
}
