import type { Context } from '../../command.js';
import { resolveProxyId } from '../../lib/lookup.js';
import { confirmDeletion } from '../shared/confirm.js';

export async function run({ proxy }: { proxy: string }, context: Context): Promise<void> {
  const { client, output } = context;
  await confirmDeletion(`proxy ${proxy}`, context);
  await client.call('proxies.delete', { path: { id: await resolveProxyId(client, proxy) } });
  output.notice(`Deleted proxy ${proxy}.`);
}
