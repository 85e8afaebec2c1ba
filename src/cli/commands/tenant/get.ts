import type { Context } from '../../command.js';

export async function run(_options: object, { client, output }: Context): Promise<void> {
  await output.result(await client.call('tenants.get', {}), { redaction: 'plain' });
}
