import type { Context } from '../../command.js';
import { declinedError } from '../../lib/errors.js';
import { resolveApplicationId } from '../../lib/lookup.js';
import { printWithKey } from './print-key.js';
import { APPLICATION_VIEW } from './view.js';

export async function run({ application }: { application: string }, context: Context): Promise<void> {
  const { client, prompts, settings } = context;
  const message = `Regenerate the key of ${application}? All its old keys stop working at once.`;
  if (prompts.interactive && !settings.yes && !(await prompts.confirm({ message, flag: '--yes' })))
    throw declinedError('The key was not changed.');
  const id = await resolveApplicationId(client, application);
  await printWithKey(
    await client.call('applications.regenerate', { path: { id } }),
    'The old keys no longer work. Store the new key now; it is shown only once.',
    APPLICATION_VIEW,
    context,
  );
}
