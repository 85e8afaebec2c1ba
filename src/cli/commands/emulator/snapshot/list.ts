import type { Context } from '../../../command.js';
import { showTime, TIME_WIDTH } from '../../../output/time.js';
import { toPage } from '../../shared/batch.js';
import { type TenantOption, withControl } from '../../shared/running-emulator.js';

export async function run({ tenant }: TenantOption, context: Context): Promise<void> {
  const { snapshots } = await withControl(context, (control) => control.call('snapshots.list', { tenant }));
  await context.output.result(toPage(snapshots), {
    redaction: 'plain',
    columns: [
      { title: 'NAME', field: 'name', importance: 2 },
      { title: 'TOKENS', field: 'tokens' },
      { title: 'SAVED', field: 'created_at', show: showTime, min: TIME_WIDTH, importance: 1 },
    ],
    empty: 'No snapshots.',
  });
}
