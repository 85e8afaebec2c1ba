import type { Context } from '../../command.js';
import { runningState } from '../shared/running-emulator.js';
import { applySeed, readSeed } from '../shared/seeding.js';

export async function run({ file }: { file: string }, context: Context): Promise<void> {
  const seed = await readSeed(file, context);
  // The target is the emulator of this directory, whatever service is chosen otherwise.
  const { createClient } = await import('../../../client/client.js');
  const { createHttpTransport } = await import('../../../client/http-transport.js');
  const { keyFor } = await import('../../config/target.js');
  const { base_url, header_prefix, keys = {} } = await runningState(context);
  const client = createClient({
    connect: async () => ({
      transport: await createHttpTransport(base_url),
      headerPrefix: header_prefix,
      apiKey: (permission) => keyFor(keys, permission),
    }),
    signal: context.signal,
  });
  try {
    const created = await applySeed(seed, client);
    context.output.notice(`Created ${created}; what was there already stays as it is.`);
  } finally {
    await client.close();
  }
}
