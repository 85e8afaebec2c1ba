import type { Context } from '../../../command.js';
import { usageError } from '../../../lib/errors.js';
import { resolveId } from '../../../lib/lookup.js';
import { type ConfirmOption, confirmOwnKeyEnd } from '../../shared/lock-out.js';
import { toExpiry } from './expiry.js';
import { KEY_VIEW } from './view.js';

interface UpdateOptions extends ConfirmOption {
  application: string;
  keyId: string;
  expires?: string | undefined;
  name?: string | undefined;
}

export async function run(options: UpdateOptions, context: Context): Promise<void> {
  const { client, output } = context;
  const { application, keyId, expires, name, confirm } = options;
  if (expires === undefined && name === undefined)
    throw usageError('Nothing to update.', 'Give --expires or --name.');
  const path = { id: await resolveId(client, 'application', application), key_id: keyId };
  const current = await client.call('applications.keys.get', { path });
  if (expires !== undefined && expires !== 'never')
    await confirmOwnKeyEnd(path, confirm, context, `at its expiry (${expires})`);
  const expires_at =
    expires === undefined ? (current.expires_at ?? null) : expires === 'never' ? null : toExpiry(expires);
  const body = { expires_at, ...(name !== undefined && { name }) };
  await output.result(await client.call('applications.keys.update', { path, body }), KEY_VIEW);
}
