import type { Context } from '../../command.js';
import { APPLICATION_VIEW } from './view.js';

export async function run({ id }: { id: string }, { client, output }: Context): Promise<void> {
  await output.result(await client.call('applications.regenerate', { path: { id } }), APPLICATION_VIEW);
  output.notice('The old key no longer works. Store the new key now; it is shown only once.');
}
