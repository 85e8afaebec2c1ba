import type { Context } from '../../command.js';
import { forEachId, throwFailures } from '../shared/batch.js';
import { confirmDeletion } from '../shared/confirm.js';

export async function run({ id: ids }: { id: string[] }, context: Context): Promise<void> {
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
