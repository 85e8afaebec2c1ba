import type { Context } from '../../command.js';
import { resolveId } from '../../lib/lookup.js';
import { forEachId, throwFailures } from '../shared/batch.js';
import { confirmDeletion } from '../shared/confirm.js';
import { type ConfirmOption, confirmApplicationDeletion } from '../shared/lock-out.js';

export async function run(
  { application: references, confirm }: ConfirmOption & { application: string[] },
  context: Context,
): Promise<void> {
  const { client, output, signal } = context;
  const what = references.length === 1 ? `application ${references[0]}` : `${references.length} applications`;
  const ids = new Map<string, string>();
  for (const reference of references) {
    // What cannot be resolved fails below, without stopping the others.
    const id = await resolveId(client, 'application', reference).catch(() => undefined);
    if (id !== undefined) ids.set(reference, id);
  }
  const confirmed = await confirmApplicationDeletion([...ids.values()], confirm, context);
  if (confirmed < references.length) await confirmDeletion(what, context);
  const remove = async (reference: string) => {
    const id = ids.get(reference) ?? (await resolveId(client, 'application', reference));
    await client.call('applications.delete', { path: { id } });
    output.notice(`Deleted application ${reference}. Its key no longer works.`);
  };
  if (references.length === 1) return remove(references[0] as string);
  const { failures } = await forEachId(references, signal, remove);
  throwFailures(failures, references.length, 'applications');
}
