import { cardNumbersIn, isTestCardNumber } from '../../../src/contract/card-numbers.js';
import { validationProblem } from '../../problems/problem.js';
import type { CollectionName } from '../../store/records.js';
import type { Change } from '../../store/store.js';
import { textFieldsOf } from './shown-fields.js';

/** The fields that hold what callers send, of what is no resource. */
const FIELDS: { readonly [Name in CollectionName]?: readonly string[] } = {
  tokens: ['data', 'id', 'metadata', 'containers', 'search_indexes', 'mask', 'fingerprint_expression'],
  'token-intents': ['data'],
  tenants: ['name'],
};

/** Which card numbers are accepted beside the documented test cards. */
export interface CardRules {
  /** Further test numbers, or their prefixes with a `*`. */
  allowed: readonly string[];
}

const isAllowed = (digits: string, allowed: readonly string[]): boolean =>
  allowed.some((one) => (one.endsWith('*') ? digits.startsWith(one.slice(0, -1)) : digits === one));

type IsReal = (text: string) => boolean;

const RULE =
  'this emulator refuses real card numbers (--refuse-real-cards, --allow-card NUMBER for more test cards; tokenctl docs leaks)';

/** Checks what a change stores for real card numbers. @throws ProblemError 400, which names the property and never the number */
export function assertNoRealCard(change: Change, { allowed }: CardRules): void {
  const isReal = (text: string) =>
    cardNumbersIn(text).some(({ digits }) => !isTestCardNumber(digits) && !isAllowed(digits, allowed));
  const name = 'insert' in change ? change.insert : 'replace' in change ? change.replace : undefined;
  if (name === undefined || !('record' in change)) return;
  const record: Readonly<Record<string, unknown>> = { ...change.record };
  for (const field of FIELDS[name] ?? textFieldsOf(name)) {
    const path = findRealCard(record[field], field, isReal);
    if (path === undefined) continue;
    const what = field === 'data' ? 'must be the number of a test card' : 'must not hold a card number';
    throw validationProblem({ [path]: [`${what}; ${RULE}`] });
  }
}

/** Returns the path of the first real card number: that of the object, if the number is in the name of a property. */
function findRealCard(value: unknown, path: string, isReal: IsReal): string | undefined {
  if (typeof value === 'string' || typeof value === 'number') return isReal(String(value)) ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, item] of Object.entries(value)) {
    const found = isReal(name) ? path : findRealCard(item, `${path}.${name}`, isReal);
    if (found !== undefined) return found;
  }
  return undefined;
}
