import type { Context } from '../../command.js';
import { resolveProxyId } from '../../lib/lookup.js';
import { PROXY_VIEW } from './view.js';

export async function run({ proxy }: { proxy: string }, { client, output }: Context): Promise<void> {
  const id = await resolveProxyId(client, proxy);
  await output.result(await client.call('proxies.get', { path: { id } }), PROXY_VIEW);
}
