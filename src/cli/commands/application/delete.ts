import type { Context } from '../../command.js';
import { forEachId, throwFailures } from '../shared/batch.js';
import { confirmDeletion } from '../shared/confirm.js';

export async function run({ id: ids }: { id: string[] }, context: Context): Promise<void> {
  const { client, output, signal } = context;
  await confirmDeletion(ids.length === 1 ? `application ${ids[0]}` : `${ids.length} applications`, context);
  const remove = async (id: string) => {
    await client.call('applications.delete', { path: { id } });
    output.notice(`Deleted application ${id}. Its key no longer works.`);
  };
  if (ids.length === 1) return remove(ids[0] as string);
  const { failures } = await forEachId(ids, signal, remove);
  throwFailures(failures, ids.length, 'applications');
}
