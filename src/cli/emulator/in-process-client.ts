import { selectKey } from '../../client/api-keys.js';
import { type Client, createClient } from '../../client/client.js';
import { type Emulator, localTransport } from './launch.js';

/** A client of an emulator in this process, with the keys of its seeded applications; closing it closes the emulator. */
export function clientOf(emulator: Emulator, signal: AbortSignal): Client {
  return createClient({
    connect: async () => ({
      transport: localTransport(emulator, 'this process'),
      apiKey: (permission) => selectKey(emulator.keys, permission),
    }),
    signal,
    retries: 0,
  });
}
