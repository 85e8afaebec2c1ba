import type { Client } from '../../client/client.js';
import { createInProcessClient } from './in-process-client.js';
import { openEmulator } from './launch.js';

/** Opens an empty emulator in memory, with which `verify` compares the service. */
export async function openReference(signal: AbortSignal): Promise<Client> {
  return createInProcessClient(await openEmulator({ memory: true, rateLimit: false }), signal);
}
