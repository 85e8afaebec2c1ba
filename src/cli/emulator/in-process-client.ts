import { selectKey } from '../../client/api-keys.js';
import { type Client, createClient } from '../../client/client.js';
import { createInProcessTransport } from './in-process-transport.js';
import type { Emulator } from './launch.js';

/** Creates a client of an emulator in this process, with the keys of its seeded applications. Closing it closes the emulator. */
export function createInProcessClient(
  emulator: Emulator,
  signal: AbortSignal,
  headerPrefix?: string | undefined,
): Client {
  return createClient({
    connect: async () => ({
      transport: createInProcessTransport(emulator, 'this process'),
      headerPrefix,
      apiKey: (permission) => selectKey(emulator.keys, permission),
    }),
    signal,
    retries: 0,
  });
}
