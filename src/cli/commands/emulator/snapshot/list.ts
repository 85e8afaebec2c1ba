import type { Context } from '../../../command.js';
import { withControl } from '../../shared/running-emulator.js';

export async function run(_options: object, context: Context): Promise<void> {
  const { snapshots } = await withControl(context, (control) => control.call('snapshots.list'));
  await context.output.result(snapshots, {
    redaction: 'plain',
    columns: [
      { title: 'NAME', field: 'name' },
      { title: 'TOKENS', field: 'tokens' },
      { title: 'SAVED', field: 'created_at' },
    ],
    empty: 'No snapshots.',
  });
}
