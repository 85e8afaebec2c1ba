import type { Context } from '../../../command.js';
import { resolveId } from '../../../lib/lookup.js';
import { toPage } from '../../shared/batch.js';
import { KEY_VIEW } from './view.js';

export async function run(
  { application }: { application: string },
  { client, output }: Context,
): Promise<void> {
  const id = await resolveId(client, 'application', application);
  await output.result(toPage(await client.call('applications.keys.list', { path: { id } })), KEY_VIEW);
}
