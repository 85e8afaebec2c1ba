import { RequestBudget } from '../../expressions/index.js';
import type { Stored, TokenRecord } from '../../store/records.js';
import type { Change } from '../../store/store.js';
import { cachedResponseDeletions, type TokenServices } from './delete.js';
import { evaluateSearchIndexes } from './evaluate-token.js';
import { FieldChecks } from './field-checks.js';
import { withoutCvc } from './lifetime.js';

/** Removes the cvc from the data, from the search index values, and from stored responses that may contain it. */
export async function purgeCvcs(tokens: Stored<TokenRecord>[], services: TokenServices): Promise<Change[]> {
  const now = services.clock.now();
  const replace = async (token: Stored<TokenRecord>): Promise<Change> => {
    const { search_values: _values, ...record } = withoutCvc(token);
    const values = await reevaluateSearchIndexes(record, now);
    return { replace: 'tokens', record: { ...record, ...(values.length > 0 && { search_values: values }) } };
  };
  const replacements: Change[] = [];
  for (const token of tokens) replacements.push(await replace(token));
  return [...replacements, ...(await cachedResponseDeletions(tokens, services))];
}

/** Evaluates each index separately, since one that needs the removed cvc fails. */
async function reevaluateSearchIndexes(
  { search_indexes = [], data }: TokenRecord,
  now: number,
): Promise<string[]> {
  const budget = new RequestBudget(now);
  const values: string[] = [];
  for (const index of search_indexes) {
    values.push(
      ...(await evaluateSearchIndexes({ search_indexes: [index], data }, budget, new FieldChecks())),
    );
  }
  return [...new Set(values)];
}
