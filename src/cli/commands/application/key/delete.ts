import type { Context } from '../../../command.js';
import { resolveId } from '../../../lib/lookup.js';
import { showTime } from '../../../output/time.js';
import { confirmDeletion } from '../../shared/confirm.js';
import { type ConfirmOption, confirmOwnKeyEnd } from '../../shared/lock-out.js';

export async function run(
  { application, keyId, confirm }: ConfirmOption & { application: string; keyId: string },
  context: Context,
): Promise<void> {
  const { client, output } = context;
  const id = await resolveId(client, 'application', application);
  const path = { id, key_id: keyId };
  const { created_at } = await client.call('applications.keys.get', { path });
  if (!(await confirmOwnKeyEnd(path, confirm, context)))
    await confirmDeletion(`the key ${keyId} of ${application}, created ${showTime(created_at)}`, context);
  await client.call('applications.keys.delete', { path });
  output.notice(`Deleted the key ${keyId}. It no longer works.`);
}
