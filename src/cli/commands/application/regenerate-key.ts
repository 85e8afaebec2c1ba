import type { Context } from '../../command.js';
import { declinedError } from '../../lib/errors.js';
import { resolveApplicationId } from '../../reactors/plan/lookup.js';
import { printWithKey } from './key.js';

export async function run({ application }: { application: string }, context: Context): Promise<void> {
  const { client, prompts, settings } = context;
  const message = `Regenerate the key of ${application}? The old key stops working at once.`;
  if (prompts.interactive && !settings.yes && !(await prompts.confirm({ message, flag: '--yes' })))
    throw declinedError('The key was not changed.');
  const id = await resolveApplicationId(client, application);
  await printWithKey(
    await client.call('applications.regenerate', { path: { id } }),
    'The old key no longer works. Store the new key now; it is shown only once.',
    context,
  );
}
