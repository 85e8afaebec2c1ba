import type { Context } from '../../command.js';
import { resolveReactorId } from '../../lib/lookup.js';
import { forEachId, throwFailures } from '../shared/batch.js';
import { confirmDeletion } from '../shared/confirm.js';

export async function run({ reactor: references }: { reactor: string[] }, context: Context): Promise<void> {
  const { client, output, signal } = context;
  const what = references.length === 1 ? `reactor ${references[0]}` : `${references.length} reactors`;
  await confirmDeletion(what, context);
  const remove = async (reference: string) => {
    await client.call('reactors.delete', { path: { id: await resolveReactorId(client, reference) } });
    output.notice(`Deleted reactor ${reference}.`);
  };
  if (references.length === 1) return remove(references[0] as string);
  const { failures } = await forEachId(references, signal, remove);
  throwFailures(failures, references.length, 'reactors');
}
