import type { Context } from '../../command.js';
import { resolveReactorId } from '../../lib/lookup.js';
import { printEach } from '../shared/batch.js';
import { REACTOR_VIEW } from './view.js';

export async function run({ reactor: references }: { reactor: string[] }, context: Context): Promise<void> {
  const { client } = context;
  const get = async (reference: string) =>
    client.call('reactors.get', { path: { id: await resolveReactorId(client, reference) } });
  await printEach(references, get, { view: REACTOR_VIEW, what: 'reactors' }, context);
}
