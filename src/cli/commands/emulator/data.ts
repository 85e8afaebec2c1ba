import type { Context } from '../../command.js';
import { countOf } from '../../lib/count.js';
import { requireRunningState, type TenantOption, withControl } from '../shared/running-emulator.js';
import { prepareSeed } from '../shared/seed.js';

export async function resetData({ tenant }: TenantOption, context: Context): Promise<void> {
  await withControl(context, (control) => control.call('reset', { tenant }));
  const what = tenant === undefined ? 'the emulator' : `tenant ${tenant}`;
  context.output.notice(`Deleted all data of ${what}. The tenant and its keys are kept.`);
}

export async function seedData({ file }: { file: string }, context: Context): Promise<void> {
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
