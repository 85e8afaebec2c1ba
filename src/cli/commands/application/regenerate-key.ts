import { RESOURCES } from '../../../contract/resources.js';
import type { Context } from '../../command.js';
import { resolveId } from '../../lib/lookup.js';
import { viewOf } from '../resource/view.js';
import { confirmRegeneration } from '../shared/confirm.js';
import { type ConfirmOption, confirmOwnRegeneration } from '../shared/lock-out.js';
import { printWithKey } from './print-key.js';

export async function run(
  { application, confirm }: ConfirmOption & { application: string },
  context: Context,
): Promise<void> {
  const { client } = context;
  const id = await resolveId(client, 'application', application);
  if (!(await confirmOwnRegeneration(id, confirm, context))) await confirmRegeneration(application, context);
  await printWithKey(
    await client.call('applications.regenerate', { path: { id } }),
    'The old keys no longer work. Store the new key now; it is shown only once.',
    viewOf(RESOURCES.application),
    context,
  );
}
