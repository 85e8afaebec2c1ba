import type { Context } from '../../command.js';
import { resolveProxyId } from '../../lib/lookup.js';
import { rejectPlaceholder } from '../../lib/placeholder.js';
import { printItem } from '../shared/actor-names.js';
import { requireFlags } from '../shared/required-flags.js';
import { assertTransformsLoadable, buildProxyBody, type ProxyOptions } from './body.js';
import { PROXY_VIEW } from './view.js';

const REPLACE_HINT =
  '`proxy replace` replaces the whole proxy; to change parts of it, use `tokenctl proxy update`.';

export async function run(options: ProxyOptions & { proxy: string }, context: Context): Promise<void> {
  const { client } = context;
  const given = await buildProxyBody(options, context);
  const { '--name': name, '--destination-url': destination_url } = requireFlags(
    { '--name': given.name, '--destination-url': given.destination_url },
    REPLACE_HINT,
  );
  const body = { ...given, name, destination_url };
  rejectPlaceholder(body);
  await assertTransformsLoadable(body);
  const id = await resolveProxyId(client, options.proxy);
  await printItem(await client.call('proxies.replace', { path: { id }, body }), PROXY_VIEW, context);
}
