import { isCardNumber, isTestCardNumber } from '../../../src/contract/card-numbers.js';
import { validationProblem } from '../../problems/problem.js';
import type { Change, Store } from '../../store/store.js';
import { wrapStore } from '../../store/wrapped-store.js';

/** A text that is a number of 13 to 19 digits, in groups or not. */
const NUMBER = /^\d(?:[ -]?\d){12,18}$/;

/**
 * Returns a store that refuses tokens whose data holds a real card number, whatever created them (`--refuse-real-cards`).
 * @returns a store whose commits reject with ProblemError 400, which names the property and never the number
 */
export function createRealCardGuard(store: Store): Store {
  return wrapStore(store, {
    commit: async (changes) => {
      for (const change of changes) assertNoRealCard(change);
      await store.commit(changes);
    },
  });
}

function assertNoRealCard(change: Change): void {
  const isToken =
    ('insert' in change && change.insert === 'tokens') ||
    ('replace' in change && change.replace === 'tokens');
  if (!isToken || !('data' in change.record)) return;
  const path = findRealCard(change.record.data, 'data');
  if (path === undefined) return;
  const message =
    'must be the number of a test card; this emulator refuses real card numbers (--refuse-real-cards, docs/leaks.md)';
  throw validationProblem({ [path]: [message] });
}

/** Returns the path of the first real card number. */
function findRealCard(value: unknown, path: string): string | undefined {
  if (typeof value === 'string' || typeof value === 'number') {
    const text = String(value);
    const digits = text.replaceAll(/[ -]/g, '');
    return NUMBER.test(text) && isCardNumber(digits) && !isTestCardNumber(digits) ? path : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, item] of Object.entries(value)) {
    const found = findRealCard(item, `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
