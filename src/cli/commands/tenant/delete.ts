import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';

export async function run({ confirm }: { confirm?: string | undefined }, context: Context): Promise<void> {
  const { client, output, prompts } = context;
  const { name, id } = await client.call('tenants.get', {});
  const typed =
    confirm ??
    (await prompts.text({
      flag: '--confirm=<name>',
      message: `This deletes the tenant and all its data. Type its name (${name}) to confirm`,
    }));
  if (typed !== name)
    throw usageError('The name does not match the tenant of this key. Nothing was deleted.');
  await client.call('tenants.delete', {});
  output.notice(`Deleted tenant ${name} (${id}).`);
}
