import type { Context } from '../../command.js';
import { resolveProxyId } from '../../lib/lookup.js';
import { rejectPlaceholder } from '../../lib/placeholder.js';
import { readPatch } from '../shared/patch.js';
import { assertTransformsLoadable, buildProxyBody, type ProxyOptions } from './body.js';

interface UpdateOptions extends ProxyOptions {
  proxy: string;
  patch?: string | undefined;
}

export async function run(options: UpdateOptions, context: Context): Promise<void> {
  const { client, output } = context;
  const given = await buildProxyBody(options, context);
  const body = await readPatch(options.patch, given, context, '--name, --destination-url, --config');
  rejectPlaceholder(body);
  await assertTransformsLoadable(body);
  const id = await resolveProxyId(client, options.proxy);
  await client.call('proxies.update', { path: { id }, body });
  output.notice(`Updated proxy ${options.proxy}.`);
}
