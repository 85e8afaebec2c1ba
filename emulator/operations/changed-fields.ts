import { isDeepStrictEqual } from 'node:util';

/** Properties that every update sets, or that follow from others. */
const DERIVED = new Set(['revision', 'modified_at', 'modified_by', 'search_values', 'cvc_expires_at']);

/**
 * Lists the names of the fields that differ between two versions of a record, for its audit entry: `metadata`, `name`,
 * `configuration`. Never values.
 */
export function changedFields(before: object, after: object): string[] {
  const [old, next] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const changed = [...old.keys(), ...next.keys()].filter(
    (name) => !DERIVED.has(name) && !isDeepStrictEqual(old.get(name), next.get(name)),
  );
  return [...new Set(changed)].sort();
}
