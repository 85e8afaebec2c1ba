import type { Context } from '../../command.js';
import { countOf } from '../../lib/count.js';
import { requireRunningState } from '../shared/running-emulator.js';
import { prepareSeed } from '../shared/seed.js';

export async function run({ file }: { file: string }, context: Context): Promise<void> {
  const seed = await prepareSeed(file, context);
  // Always the emulator of this directory, even if other commands have another target.
  const { createClient } = await import('../../../client/client.js');
  const { base_url, header_prefix, certificate, keys = {} } = await requireRunningState(context);
  const client = createClient({
    baseUrl: base_url,
    apiKey: keys,
    headerPrefix: header_prefix,
    certificate,
    signal: context.signal,
  });
  try {
    const created = await seed(client);
    context.output.notice(`Created ${countOf(created, 'item')}. Existing items are unchanged.`);
  } finally {
    await client.close();
  }
}
