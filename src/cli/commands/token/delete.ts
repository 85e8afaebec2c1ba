import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';
import { deleteEach, describeReferences } from '../shared/batch.js';
import { confirmDeletion } from '../shared/confirm.js';

interface DeleteOptions {
  id: string[];
  query?: string | undefined;
}

export async function run({ id: ids, query }: DeleteOptions, context: Context): Promise<void> {
  if ((query === undefined) === (ids.length === 0))
    throw usageError('Give either ids or --query.', 'See: tokenctl token delete --help');
  if (query === undefined) return deleteByIds(ids, context);
  // An unset variable of a script must not delete all tokens.
  if (query.trim() === '') throw usageError('--query must not be empty.', 'For all tokens: --query "id:*"');
  const { deleteByQuery } = await import('./delete-by-query.js');
  await deleteByQuery(query, context);
}

const TOKENS = { noun: 'token', collection: 'tokens' };

async function deleteByIds(ids: readonly string[], context: Context): Promise<void> {
  await confirmDeletion(describeReferences(TOKENS, ids), context);
  const remove = (id: string) => context.client.call('tokens.delete', { path: { id } });
  await deleteEach(TOKENS, ids, remove, context);
}
