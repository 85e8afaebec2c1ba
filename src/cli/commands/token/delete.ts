import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';
import { forEachId, throwFailures } from '../shared/batch.js';
import { confirmDeletion } from '../shared/confirm.js';

interface DeleteOptions {
  id: string[];
  query?: string | undefined;
  checkpoint?: string | undefined;
}

export async function run({ id: ids, query, checkpoint }: DeleteOptions, context: Context): Promise<void> {
  if ((query === undefined) === (ids.length === 0))
    throw usageError('Give either ids or --query.', 'See: tokenctl token delete --help');
  if (query === undefined) {
    if (checkpoint !== undefined) throw usageError('--checkpoint requires --query.');
    return deleteByIds(ids, context);
  }
  // An unset variable of a script must not delete all tokens.
  if (query.trim() === '') throw usageError('--query must not be empty.', 'For all tokens: --query "id:*"');
  const { deleteByQuery } = await import('./delete-by-query.js');
  await deleteByQuery(query, checkpoint, context);
}

async function deleteByIds(ids: readonly string[], context: Context): Promise<void> {
  const { client, output, signal } = context;
  await confirmDeletion(ids.length === 1 ? `token ${ids[0]}` : `${ids.length} tokens`, context);
  const remove = async (id: string) => {
    await client.call('tokens.delete', { path: { id } });
    output.notice(`Deleted token ${id}.`);
  };
  if (ids.length === 1) return remove(ids[0] as string);
  const { failures } = await forEachId(ids, signal, remove);
  throwFailures(failures, ids.length, 'tokens');
}
