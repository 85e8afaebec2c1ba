import type { Context } from '../../command.js';
import { resolveApplicationId } from '../../lib/lookup.js';
import { forEachId, throwFailures } from '../shared/batch.js';
import { confirmDeletion } from '../shared/confirm.js';

export async function run(
  { application: references }: { application: string[] },
  context: Context,
): Promise<void> {
  const { client, output, signal } = context;
  const what = references.length === 1 ? `application ${references[0]}` : `${references.length} applications`;
  await confirmDeletion(what, context);
  const remove = async (reference: string) => {
    await client.call('applications.delete', { path: { id: await resolveApplicationId(client, reference) } });
    output.notice(`Deleted application ${reference}. Its key no longer works.`);
  };
  if (references.length === 1) return remove(references[0] as string);
  const { failures } = await forEachId(references, signal, remove);
  throwFailures(failures, references.length, 'applications');
}
