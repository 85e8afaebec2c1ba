import { type Client, createClient } from '../../../client/client.js';
import { ServiceError } from '../../../client/errors.js';
import { PERMISSION_NAMES, type Permission } from '../../../contract/permissions.js';
import type { Application } from '../../../contract/schemas/index.js';
import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';
import { toFailure } from '../../lib/to-failure.js';
import { USER_AGENT } from '../../lib/user-agent.js';
import type { TenantIdentity } from '../../tenant-config/tenant-identity.js';

/** What the service reports about a key. */
interface KeyReport {
  /** Type of the key: management, private, public, or `any` for a key used for all operations. */
  key: string;
  /** Absent if the service does not report it. */
  key_id?: string;
  valid: boolean;
  tenant?: TenantIdentity;
  application?: Pick<Application, 'id' | 'name' | 'type' | 'permissions' | 'rules'>;
  error?: string;
}

/** Asks the service which application a key belongs to. */
export async function describeKey(key: string, value: string, context: Context): Promise<KeyReport> {
  const client = clientWithKey(value, context);
  try {
    const { id, name, type, tenant_id, key_id, ...granted } = await client.call('applications.key', {});
    const { permissions, rules } = granted;
    const access = { ...(permissions && { permissions }), ...(rules && { rules }) };
    const tenant = {
      id: tenant_id,
      ...(permissionsOf(access).has('tenant:read') && (await nameOfTenant(client))),
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

async function nameOfTenant(client: Client): Promise<Pick<TenantIdentity, 'name'>> {
  const { name } = await client.call('tenants.get', {});
  return { name };
}

/** Creates a client for the target of the context that uses this key for every operation. */
function clientWithKey(key: string, { client, settings, signal }: Context): Client {
  return createClient({
    connect: async () => ({ ...(await client.connection()), apiKey: () => key }),
    timeoutMs: settings.timeoutMs,
    userAgent: USER_AGENT,
    signal,
  });
}

/** Collects all permissions of an application, also those limited to containers. */
export function permissionsOf({
  permissions,
  rules,
}: Pick<Application, 'permissions' | 'rules'>): Set<string> {
  return new Set([...(permissions ?? []), ...(rules ?? []).flatMap((rule) => rule.permissions)]);
}

/** @throws {CliError} that names the unknown ones */
export function parsePermissions(names: readonly string[]): Permission[] {
  const isPermission = (name: string): name is Permission => PERMISSION_NAMES.some((known) => known === name);
  const unknown = names.filter((name) => !isPermission(name));
  if (unknown.length === 0) return names.filter(isPermission);
  throw usageError(
    `Unknown permission${unknown.length > 1 ? 's' : ''}: ${unknown.join(', ')}.`,
    `Permissions: ${PERMISSION_NAMES.join(', ')}.`,
  );
}
