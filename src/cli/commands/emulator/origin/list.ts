import type { Context } from '../../../command.js';
import { toPage } from '../../shared/batch.js';
import { withControl } from '../../shared/running-emulator.js';

export async function run(_options: object, context: Context): Promise<void> {
  const { origins } = await withControl(context, (control) => control.call('origins.list'));
  await context.output.result(toPage(origins.map((origin) => ({ origin }))), {
    redaction: 'plain',
    columns: [{ title: 'ORIGIN', field: 'origin' }],
    empty: 'No other origins are allowed.',
  });
}
