import type { Context } from '../../command.js';
import { resolveId } from '../../lib/lookup.js';

export async function run(
  { webhook }: { webhook: string | undefined },
  { client, output }: Context,
): Promise<void> {
  if (webhook === undefined) {
    await client.call('ping');
    return output.notice('The service answers, and the key is valid.');
  }
  const id = await resolveId(client, 'webhook', webhook);
  await output.result(await client.call('webhooks.ping', { path: { id } }), { redaction: 'plain' });
}
