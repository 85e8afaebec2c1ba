import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';

export async function run({ confirm }: { confirm?: string | undefined }, context: Context): Promise<void> {
  const { client, output, prompts } = context;
  const { name, id } = await client.call('tenants.get', {});
  const typed =
    confirm ??
    (await prompts.text({
      flag: '--confirm=<name>',
      message: `This deletes the tenant with everything in it. Its name (${name}), to go on`,
    }));
  if (typed !== name) throw usageError(`The tenant of this key has another name; nothing was deleted.`);
  await client.call('tenants.delete', {});
  output.notice(`Deleted tenant ${name} (${id}).`);
}
