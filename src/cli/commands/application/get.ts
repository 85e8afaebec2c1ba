import type { Context } from '../../command.js';
import { resolveApplicationId } from '../../lib/lookup.js';
import { printEach } from '../shared/batch.js';
import { APPLICATION_VIEW } from './view.js';

export async function run(
  { application: references }: { application: string[] },
  context: Context,
): Promise<void> {
  const { client } = context;
  const get = async (reference: string) =>
    client.call('applications.get', { path: { id: await resolveApplicationId(client, reference) } });
  await printEach(references, get, { view: APPLICATION_VIEW, what: 'applications' }, context);
}
