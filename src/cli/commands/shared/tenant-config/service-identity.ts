import type { Client } from '../../../../client/client.js';
import { ServiceError } from '../../../../client/errors.js';
import { isLoopback } from '../../../../client/transport.js';
import type { Context } from '../../../command.js';
import { readRunningState } from '../../../config/state-file.js';
import { CliError, usageError } from '../../../lib/errors.js';
import type { Manifest } from '../../../manifest/manifest.js';
import type { ServiceIdentity } from '../../../tenant-config/lock/lock-file.js';
import { describeTenant, type TenantIdentity } from '../../../tenant-config/tenant-identity.js';

/** The scheme of the emulator in this process; it has no address. */
const IN_PROCESS = 'local:';

const isRefused = (error: unknown): boolean =>
  error instanceof ServiceError
    ? [403, 404, 405].includes(error.status)
    : error instanceof CliError && error.failure.category === 'unauthorized';

/** Asks which tenant the key belongs to. A key that may not read the tenant learns only its ID, with a second request. */
async function readTenant(client: Client): Promise<TenantIdentity> {
  try {
    const { id, name } = await client.call('tenants.get', {});
    return { id, name };
  } catch (error) {
    if (!isRefused(error)) throw error;
    return { id: (await client.call('applications.key', {})).tenant_id };
  }
}

/** Identifies the target for the lock file: by base URL; on this machine, where ports change, by profile. */
function toService(name: string, url: string, { id, name: tenantName }: TenantIdentity): ServiceIdentity {
  const isOnThisMachine = url.startsWith(IN_PROCESS) || isLoopback(url);
  const tenant = { tenantId: id, tenantName };
  if (!isOnThisMachine) return { name: url, ...tenant, isOnThisMachine };
  const profile = name.endsWith(` ${url}`) ? name.slice(0, -url.length - 1) : 'emulator';
  return { name: profile, ...tenant, isOnThisMachine };
}

export interface TargetIdentity {
  tenant: TenantIdentity;
  /** How the lock file calls it; undefined for an emulator that is gone when its command ends. */
  service: ServiceIdentity | undefined;
}

/** Asks for the tenant of the target, which notices and prompts name from then on. */
export async function identifyTarget(
  manifest: Pick<Manifest, 'path' | 'environment' | 'tenantId'> | undefined,
  { client, settings }: Context,
): Promise<TargetIdentity> {
  const connection = await client.connection();
  const { name = '', transport } = connection;
  const tenant = await readTenant(client);
  connection.tenant = describeTenant(tenant);
  if (settings.env.TOKENCTL_THROWAWAY_URL === transport.url) return { tenant, service: undefined };
  if (manifest?.tenantId !== undefined && manifest.tenantId !== tenant.id)
    throw usageError(
      `The environment ${manifest.environment} is the tenant ${manifest.tenantId}, but the key belongs to the ${describeTenant(tenant)} of ${transport.url}.`,
      `Use a key of that tenant, or correct tenant_id in ${manifest.path}.`,
    );
  return { tenant, service: toService(name, transport.url, tenant) };
}

/** Whether the records of a tenant are of no use: the emulator of this directory lost it, or was started anew in memory. */
export async function isTenantGone(
  tenantId: string,
  writtenAt: number,
  { client, settings }: Context,
): Promise<boolean> {
  const { url } = (await client.connection()).transport;
  const state = await readRunningState(settings).catch(() => undefined);
  if (state && [state.base_url, state.public_url].includes(url))
    return !state.tenants.some(({ tenant_id }) => tenant_id === tenantId);
  const path = '/_emulator/health';
  const { body } = await client
    .request({ method: 'GET', path, permission: null })
    .catch(() => ({ body: undefined }));
  const { uptime_ms, store } = (body ?? {}) as { uptime_ms?: number; store?: { kind?: string } };
  return store?.kind === 'memory' && uptime_ms !== undefined && Date.now() - uptime_ms > writtenAt;
}
