import type { Context } from '../../command.js';
import { rejectPlaceholder } from '../../lib/placeholder.js';
import { printItem } from '../shared/actor-names.js';
import { requireFlags } from '../shared/required-flags.js';
import { assertTransformsLoadable, buildProxyBody, type ProxyOptions } from './body.js';
import { PROXY_VIEW } from './view.js';

export async function run(options: ProxyOptions, context: Context): Promise<void> {
  const given = await buildProxyBody(options, context);
  const { '--name': name, '--destination-url': destination_url } = requireFlags({
    '--name': given.name,
    '--destination-url': given.destination_url,
  });
  const body = { ...given, name, destination_url };
  rejectPlaceholder(body);
  await assertTransformsLoadable(body);
  await printItem(await context.client.call('proxies.create', { body }), PROXY_VIEW, context);
}
