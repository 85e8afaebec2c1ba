import type { Client } from '../../../../client/client.js';
import type { Permission } from '../../../../contract/permissions.js';
import type { Application } from '../../../../contract/schemas/index.js';
import { CliError, usageError } from '../../../lib/errors.js';
import { permissionsOf, REFUSALS, readKeyOwner, unlessStatus } from '../../../lib/key-owner.js';
import type { RequiredPermissions } from '../../../tenant-config/plan/required-permissions.js';
import { describeTenant, type TenantIdentity } from '../../../tenant-config/tenant-identity.js';

/** The application of a key; undefined if there is no key, `unknown` if the service does not tell. */
type KeyOwner = Application | 'unknown' | undefined;

const readOwner = async (client: Client, permission: Permission): Promise<KeyOwner> =>
  (await unlessStatus(REFUSALS, readKeyOwner(client, permission))) ?? 'unknown';

function findKey(apiKey: (permission: Permission) => string | undefined, permission: Permission) {
  try {
    return apiKey(permission);
  } catch (error) {
    if (error instanceof CliError && error.failure.category === 'unauthorized') return undefined;
    throw error;
  }
}

async function readOwners(
  client: Client,
  permissions: Iterable<Permission>,
): Promise<Map<Permission, KeyOwner>> {
  const { apiKey } = await client.connection();
  const byKey = new Map<string, KeyOwner>();
  const owners = new Map<Permission, KeyOwner>();
  for (const permission of permissions) {
    const key = findKey(apiKey, permission);
    if (key !== undefined && !byKey.has(key)) byKey.set(key, await readOwner(client, permission));
    owners.set(permission, key === undefined ? undefined : byKey.get(key));
  }
  return owners;
}

function describeLack(
  permission: Permission,
  owner: KeyOwner,
  objects: readonly string[],
): string | undefined {
  if (owner === 'unknown' || (owner && permissionsOf(owner).has(permission))) return undefined;
  const lack = owner
    ? `the application ${owner.name} lacks it`
    : `there is no ${permission.startsWith('token:') ? 'private' : 'management'} key`;
  return `${lack}; needed for ${objects.join(', ')}`;
}

/** Checks before the first write that every key of a plan is there, belongs to the tenant, and holds its permissions. */
export async function assertPermitted(
  required: RequiredPermissions,
  tenant: TenantIdentity | undefined,
  client: Client,
): Promise<void> {
  const owners = await readOwners(client, required.keys());
  for (const [permission, owner] of owners)
    if (owner && owner !== 'unknown' && tenant && owner.tenant_id !== tenant.id)
      throw usageError(
        `The key for ${permission} belongs to the ${describeTenant({ id: owner.tenant_id })}, not to the ${describeTenant(tenant)}.`,
        'Use keys of one tenant: tokenctl auth status',
      );
  const errors = [...required].flatMap(([permission, objects]) => {
    const lack = describeLack(permission, owners.get(permission), objects);
    return lack === undefined ? [] : [[permission, [lack]]];
  });
  if (errors.length > 0)
    throw new CliError('forbidden', 'The keys do not permit the whole plan; nothing was changed.', {
      errors: Object.fromEntries(errors),
      hint: 'List what the plan needs: tokenctl plan --permissions',
    });
}
