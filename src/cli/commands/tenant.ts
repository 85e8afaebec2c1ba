import type { Tenant } from '../../contract/schemas/index.js';
import type { Context } from '../command.js';
import { usageError } from '../lib/errors.js';
import { confirmByName } from './shared/confirm.js';
import { printItem } from './shared/entity-names.js';
import { parsePairs } from './shared/input.js';

/** Parses settings; the service validates their names. @throws {CliError} when a value is not true or false */
function parseSettings(pairs: readonly string[], flag: string): Record<string, 'true' | 'false'> {
  const settings = parsePairs(pairs, flag);
  for (const [name, value] of Object.entries(settings))
    if (value !== 'true' && value !== 'false') throw usageError(`${flag} ${name} must be true or false.`);
  return settings as Record<string, 'true' | 'false'>;
}

/** Changes the tenant. The service requires a name, so without one the current name is sent. */
async function changeTenant(
  change: { name?: string | undefined; settings?: Record<string, 'true' | 'false'> | undefined },
  { client }: Context,
) {
  const name = change.name ?? (await client.call('tenants.get', {})).name;
  return client.call('tenants.update', { body: { name, settings: change.settings } });
}

export async function getTenant(_options: object, context: Context): Promise<void> {
  const { client } = context;
  await printItem(await client.call('tenants.get', {}), { redaction: 'plain' }, context);
}

interface TenantOptions {
  name?: string | undefined;
  set?: string[] | undefined;
}

export async function updateTenant({ name, set }: TenantOptions, context: Context): Promise<void> {
  if (name === undefined && !set) throw usageError('Nothing to update.', 'Give --name or --set key=value.');
  const settings = set && parseSettings(set, '--set');
  await printItem(await changeTenant({ name, settings }, context), { redaction: 'plain' }, context);
}

export async function getSettings(_options: object, { client, output }: Context): Promise<void> {
  const { settings } = await client.call('tenants.get', {});
  await output.result(settings, { redaction: 'plain' });
}

export async function changeSettings({ setting }: { setting: string[] }, context: Context): Promise<void> {
  const { settings } = await changeTenant({ settings: parseSettings(setting, 'The setting') }, context);
  await context.output.result(settings, { redaction: 'plain' });
}

export async function deleteTenant(
  { confirm }: { confirm?: string | undefined },
  context: Context,
): Promise<void> {
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
