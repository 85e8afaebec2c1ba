import type { Client } from '../../client/client.js';
import { clientOf } from './in-process-client.js';
import { openEmulator } from './launch.js';

/** A client of an emulator of its own in memory: what the service is compared with. */
export async function openReference(signal: AbortSignal): Promise<Client> {
  return clientOf(await openEmulator({ memory: true, rateLimit: false }), signal);
}
