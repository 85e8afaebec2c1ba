import type { Context } from '../../command.js';
import { declinedError } from '../../lib/errors.js';
import { printWithKey } from './key.js';

export async function run({ id }: { id: string }, context: Context): Promise<void> {
  const { client, prompts, settings } = context;
  const message = `Regenerate the key of ${id}? The old key stops working at once.`;
  if (prompts.interactive && !settings.yes && !(await prompts.confirm({ message, flag: '--yes' })))
    throw declinedError('The key was not changed.');
  await printWithKey(
    await client.call('applications.regenerate', { path: { id } }),
    'The old key no longer works. Store the new key now; it is shown only once.',
    context,
  );
}
