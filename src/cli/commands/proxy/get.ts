import type { Context } from '../../command.js';
import { resolveProxyId } from '../../lib/lookup.js';
import { printItem } from '../shared/actor-names.js';
import { PROXY_VIEW } from './view.js';

export async function run({ proxy }: { proxy: string }, context: Context): Promise<void> {
  const { client } = context;
  const id = await resolveProxyId(client, proxy);
  await printItem(await client.call('proxies.get', { path: { id } }), PROXY_VIEW, context);
}
