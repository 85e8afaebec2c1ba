import type { Client } from '../../../client/client.js';
import { ServiceError } from '../../../client/errors.js';
import type { Application } from '../../../contract/schemas/index.js';
import type { Context } from '../../command.js';
import { loginCommand, resolveKeys } from '../../config/keys.js';
import { resolveTarget } from '../../config/target.js';
import { clientFor } from '../../connect.js';
import { CliError } from '../../lib/errors.js';
import { permissionsOf, readKeyOwner } from '../../lib/key-owner.js';
import { toFailure } from '../../lib/to-failure.js';
import type { TenantIdentity } from '../../tenant-config/tenant-identity.js';
import { parsePermissions } from '../shared/flag-values.js';

export interface KeyReport {
  /** Type of the key: management, private, public, or `any` for a key used for all operations. */
  key: string;
  key_id?: string;
  valid: boolean;
  tenant?: TenantIdentity;
  application?: Pick<Application, 'id' | 'name' | 'type' | 'permissions' | 'rules'>;
  error?: string;
}

/** Asks the service about a key. @param key its type, or `any` @param mark what to do with the client first */
export async function describeKey(
  key: string,
  value: string,
  context: Context,
  mark = (client: Client): Client => client,
): Promise<KeyReport> {
  const connection = () => context.client.connection();
  const client = mark(clientFor(context, async () => ({ ...(await connection()), apiKey: () => value })));
  try {
    const { id, name, type, tenant_id, key_id, ...granted } = await client.call('applications.key', {});
    const { permissions, rules } = granted;
    const access = { ...(permissions && { permissions }), ...(rules && { rules }) };
    const tenant = {
      id: tenant_id,
      ...(permissionsOf(access).has('tenant:read') && { name: (await client.call('tenants.get', {})).name }),
    };
    return {
      key,
      ...(key_id !== undefined && { key_id }),
      valid: true,
      tenant,
      application: { id, name, type, ...access },
    };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status === 429 || error.status >= 500) throw error;
    return { key, valid: error.status !== 401, error: toFailure(error).detail };
  }
}

export async function showStatus(_options: object, context: Context) {
  const { settings, output } = context;
  const target = await resolveTarget(settings);
  const keys = Object.entries(await resolveKeys(settings, target)).filter(([, value]) => value !== undefined);
  if (keys.length === 0)
    throw new CliError('unauthorized', `There is no API key for ${target.source}.`, {
      hint: `Set TOKENCTL_API_KEY, use --key-file FILE, or run: ${loginCommand(target.name)}`,
    });
  const reports = await Promise.all(keys.map(([name, value]) => describeKey(name, value, context)));
  const { baseUrl: base_url, source } = target;
  const tenants = reports.flatMap(({ tenant }) => tenant ?? []);
  const tenant = tenants.find(({ name }) => name !== undefined) ?? tenants[0];
  const isReport = output.settings.mode !== 'table';
  await output.plain({
    ...(isReport && { version: 1 }),
    base_url,
    source,
    tenant,
    keys: reports,
  });
  if (tenants.some(({ id }) => id !== tenant?.id)) output.warn('The keys belong to different tenants.');
  const refused = reports
    .filter(({ valid }) => !valid)
    .map(({ key }) => (key === 'any' ? 'the key' : `the ${key} key`));
  if (refused.length > 0)
    throw new CliError('unauthorized', `The service does not accept ${refused.join(' and ')}.`, {
      hint: 'Store a new key: tokenctl auth login',
    });
}

export async function checkPermissions({ permission: wanted }: { permission: string[] }, context: Context) {
  const { client, output } = context;
  const results = [];
  for (const permission of parsePermissions(wanted)) {
    const { name, type, ...access } = await readKeyOwner(client, permission);
    results.push({ permission, allowed: permissionsOf(access).has(permission), application: name, type });
  }
  await output.plainList(results, {
    columns: [
      { title: 'PERMISSION', field: 'permission', min: 20, importance: 3 },
      { title: 'ALLOWED', field: 'allowed', show: (allowed) => (allowed ? 'yes' : 'no'), importance: 2 },
      { title: 'APPLICATION', field: 'application', importance: 1 },
      { title: 'TYPE', field: 'type' },
    ],
  });
  const missing = results.filter(({ allowed }) => !allowed).map(({ permission }) => permission);
  if (missing.length > 0) throw new CliError('failed', `No key has ${missing.join(', ')}.`);
}
