import { type Client, createClient } from '../client/client.js';
import { localTransport, openEmulator } from '../local.js';
import { keyFor } from '../settings/target.js';

/** A client of an emulator of its own in memory: what the service is compared with. */
export async function openReference(signal: AbortSignal): Promise<Client> {
  const emulator = await openEmulator({ memory: true, rateLimit: false });
  return createClient({
    connect: async () => ({
      transport: localTransport(emulator, 'this process'),
      apiKey: (permission) => keyFor(emulator.keys, permission),
    }),
    signal,
    retries: 0,
  });
}
