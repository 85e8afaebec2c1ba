import { type Client, createClient } from '../../client/client.js';
import { selectKey } from '../../client/connection.js';
import { rejectOnAbort, type Transport } from '../../client/transport.js';
import { type Emulator, openEmulator } from './launch.js';

/** Creates a client of an emulator in this process, with the keys of its seeded applications. Closing it closes the emulator. */
export const createInProcessClient = (
  emulator: Emulator,
  signal: AbortSignal,
  headerPrefix?: string | undefined,
): Client =>
  createClient({
    connect: async () => ({
      transport: createInProcessTransport(emulator, 'this process'),
      headerPrefix,
      apiKey: (permission) => selectKey(emulator.keys, permission),
    }),
    signal,
    retries: 0,
  });

export const createInProcessTransport = (emulator: Emulator, url: string): Transport => ({
  url,
  async send({ method, path, headers, body, signal }) {
    signal.throwIfAborted();
    const injected = emulator.inject({ method, url: path, headers, ...(body !== undefined && { body }) });
    const response = await Promise.race([injected, rejectOnAbort(signal)]);
    const flat = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
    return { ...response, headers: Object.fromEntries(flat) };
  },
  close: () => emulator.close(),
});

/** Opens an empty emulator in memory, with which `verify` compares the service. */
export const openReference = async (signal: AbortSignal): Promise<Client> =>
  createInProcessClient(await openEmulator({ memory: true, rateLimit: false }), signal);
