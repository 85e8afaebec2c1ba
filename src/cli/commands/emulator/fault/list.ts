import type { Context } from '../../../command.js';
import { withControl } from '../../shared/running-emulator.js';

export async function run(_options: object, context: Context): Promise<void> {
  const { faults } = await withControl(context, (control) => control.call('faults.list'));
  await context.output.result(faults, {
    redaction: 'plain',
    columns: [
      { title: 'ID', field: 'id' },
      { title: 'OPERATION', field: 'operation' },
      { title: 'METHOD', field: 'method' },
      { title: 'PATH', field: 'path' },
      { title: 'STATUS', field: 'status' },
      { title: 'LATENCY', field: 'latency_ms' },
      { title: 'RESET', field: 'reset' },
      { title: 'TIMES', field: 'times' },
      { title: 'RATE', field: 'rate' },
    ],
    empty: 'No faults.',
  });
}
