import type { Context } from '../../../command.js';

export async function run(_options: object, { client, output }: Context): Promise<void> {
  const { settings } = await client.call('tenants.get', {});
  await output.result(settings, { redaction: 'plain' });
}
