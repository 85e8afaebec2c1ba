import type { Context } from '../../command.js';
import { resolveApplicationId } from '../../lib/lookup.js';
import { confirmRegeneration } from '../shared/confirm.js';
import { type ConfirmOption, confirmOwnRegeneration } from '../shared/lock-out.js';
import { printWithKey } from './print-key.js';
import { APPLICATION_VIEW } from './view.js';

export async function run(
  { application, confirm }: ConfirmOption & { application: string },
  context: Context,
): Promise<void> {
  const { client } = context;
  const id = await resolveApplicationId(client, application);
  if (!(await confirmOwnRegeneration(id, confirm, context))) await confirmRegeneration(application, context);
  await printWithKey(
    await client.call('applications.regenerate', { path: { id } }),
    'The old keys no longer work. Store the new key now; it is shown only once.',
    APPLICATION_VIEW,
    context,
  );
}
