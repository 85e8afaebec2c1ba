import { buildQuery, type Query } from '../../../../src/contract/operation.js';

/** Returns a query without the fields of a form that are empty. */
export function formQuery(query: Query = {}): string {
  return buildQuery(Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '')));
}
