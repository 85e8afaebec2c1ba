import type { Context } from '../../command.js';
import { resolveApplicationId } from '../../reactors/plan/lookup.js';
import { forEachId, throwFailures, toPage } from '../shared/batch.js';
import { APPLICATION_VIEW } from './view.js';

export async function run(
  { application: references }: { application: string[] },
  { client, output, signal }: Context,
): Promise<void> {
  const get = async (reference: string) =>
    client.call('applications.get', { path: { id: await resolveApplicationId(client, reference) } });
  if (references.length === 1) return output.result(await get(references[0] as string), APPLICATION_VIEW);
  const { results, failures } = await forEachId(references, signal, get);
  await output.result(toPage(results), APPLICATION_VIEW);
  throwFailures(failures, references.length, 'applications');
}
