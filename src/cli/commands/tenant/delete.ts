import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';
import { serviceName } from '../shared/confirm.js';

export async function run({ confirm }: { confirm?: string | undefined }, context: Context): Promise<void> {
  const { client, output, prompts } = context;
  const { name, id } = await client.call('tenants.get', {});
  const typed =
    confirm ??
    (await prompts.text({
      flag: '--confirm=<name>',
      message: `Type its name (${name}) to delete the tenant and all its data from ${await serviceName(context)}`,
    }));
  if (typed !== name)
    throw usageError('The name does not match the tenant of this key. Nothing was deleted.');
  if (confirm === undefined) await (await client.connection()).beforeWrite?.(true);
  await client.call('tenants.delete', {});
  output.notice(`Deleted tenant ${name} (${id}).`);
}
