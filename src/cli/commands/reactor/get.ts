import type { Context } from '../../command.js';
import { resolveReactorId } from '../../reactors/plan/lookup.js';
import { forEachId, throwFailures, toPage } from '../shared/batch.js';
import { REACTOR_VIEW } from './view.js';

export async function run(
  { reactor: references }: { reactor: string[] },
  { client, output, signal }: Context,
): Promise<void> {
  const get = async (reference: string) =>
    client.call('reactors.get', { path: { id: await resolveReactorId(client, reference) } });
  if (references.length === 1) return output.result(await get(references[0] as string), REACTOR_VIEW);
  const { results, failures } = await forEachId(references, signal, get);
  await output.result(toPage(results), REACTOR_VIEW);
  throwFailures(failures, references.length, 'reactors');
}
