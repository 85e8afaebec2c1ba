import type { Tenant } from '../../../contract/schemas/index.js';
import type { Context } from '../../command.js';
import { confirmByName } from '../shared/confirm.js';

export async function run({ confirm }: { confirm?: string | undefined }, context: Context): Promise<void> {
  const { client, output } = context;
  const { name, id } = await confirmTenantDeletion(confirm, context);
  await client.call('tenants.delete', {});
  output.notice(`Deleted tenant ${name} (${id}).`);
}

/** Asks for the name of the tenant before it is deleted. @throws {CliError} when it is not given */
export async function confirmTenantDeletion(confirm: string | undefined, context: Context): Promise<Tenant> {
  const tenant = await context.client.call('tenants.get', {});
  const { name } = tenant;
  const texts = {
    question: `Type its name (${name}) to delete the tenant and all its data from`,
    required: '--confirm=<name> is missing.',
    mismatch: 'The name does not match the tenant of this key. Nothing was deleted.',
  };
  await confirmByName(name, confirm, texts, context);
  return tenant;
}
