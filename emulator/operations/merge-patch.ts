import { isObject } from '../../src/contract/json.js';
import type { Json } from '../expressions/index.js';

/**
 * Applies a JSON Merge Patch (RFC 7386, section 2): objects merge, null removes a property, anything else replaces.
 * Neither argument is changed. Not a package: the published ones change their arguments, or stop at a property named
 * `constructor`.
 */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) result.delete(key);
    else result.set(key, mergePatch(result.get(key), value));
  }
  return Object.fromEntries(result);
}
