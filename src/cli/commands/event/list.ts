import type { Context } from '../../command.js';
import { ID_WIDTH } from '../../output/table.js';
import { showTime, TIME_WIDTH } from '../../output/time.js';
import { toPage } from '../shared/batch.js';
import { withControl } from '../shared/running-emulator.js';

export async function run(_options: object, context: Context): Promise<void> {
  const { events } = await withControl(context, (control) => control.call('webhookEvents.list'));
  await context.output.result(toPage(events), {
    redaction: 'plain',
    columns: [
      { title: 'ID', field: 'id', min: ID_WIDTH, importance: 3 },
      { title: 'TYPE', field: 'type', importance: 2 },
      { title: 'TIME', field: 'timestamp', show: showTime, min: TIME_WIDTH, importance: 1 },
    ],
    empty: 'No events. They are kept while a webhook subscribes to them.',
  });
}
