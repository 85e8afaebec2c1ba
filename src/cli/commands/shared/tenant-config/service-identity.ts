import { isLoopback } from '../../../../client/transport.js';
import type { Context } from '../../../command.js';
import type { ServiceIdentity } from '../../../tenant-config/lock/lock-file.js';

/** The scheme of the emulator in this process; it has no address. */
const IN_PROCESS = 'local:';

/**
 * Identifies the target for the lock file: by its base URL, and on this machine, where ports change, by the name of its
 * profile. Undefined for an emulator that is gone when its command ends.
 */
export async function identifyService({ client, settings }: Context): Promise<ServiceIdentity | undefined> {
  const { name = '', transport } = await client.connection();
  const { url } = transport;
  if (settings.env.TOKENCTL_THROWAWAY_URL === url) return undefined;
  const { tenant_id: tenantId } = await client.call('applications.key', {});
  const isOnThisMachine = url.startsWith(IN_PROCESS) || isLoopback(url);
  if (!isOnThisMachine) return { name: url, tenantId, isOnThisMachine };
  const profile = name.endsWith(` ${url}`) ? name.slice(0, -url.length - 1) : 'emulator';
  return { name: profile, tenantId, isOnThisMachine };
}
