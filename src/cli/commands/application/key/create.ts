import type { Context } from '../../../command.js';
import { resolveId } from '../../../lib/lookup.js';
import { printWithKey } from '../print-key.js';
import { toExpiry } from './expiry.js';
import { KEY_VIEW } from './view.js';

interface CreateOptions {
  application: string;
  name?: string | undefined;
  expires?: string | undefined;
}

export async function run({ application, name, expires }: CreateOptions, context: Context): Promise<void> {
  const { client } = context;
  const id = await resolveId(client, 'application', application);
  const body = {
    ...(name !== undefined && { name }),
    ...(expires !== undefined && { expires_at: toExpiry(expires) }),
  };
  const key = await client.call('applications.keys.create', { path: { id }, body });
  await printWithKey(key, 'Store the key now; it is shown only once.', KEY_VIEW, context);
}
