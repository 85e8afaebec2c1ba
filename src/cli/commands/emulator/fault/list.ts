import type { Context } from '../../../command.js';
import { ID_WIDTH } from '../../../output/table.js';
import { toPage } from '../../shared/batch.js';
import { type TenantOption, withControl } from '../../shared/running-emulator.js';

export async function run({ tenant }: TenantOption, context: Context): Promise<void> {
  const { faults } = await withControl(context, (control) => control.call('faults.list', { tenant }));
  await context.output.result(toPage(faults), {
    redaction: 'plain',
    columns: [
      { title: 'ID', field: 'id', min: ID_WIDTH, importance: 3 },
      { title: 'TENANT', field: 'tenant_id', min: ID_WIDTH },
      { title: 'OPERATION', field: 'operation', importance: 1 },
      { title: 'METHOD', field: 'method' },
      { title: 'PATH', field: 'path' },
      { title: 'STATUS', field: 'status', importance: 2 },
      { title: 'LATENCY', field: 'latency_ms' },
      { title: 'RESET', field: 'reset' },
      { title: 'TIMES', field: 'times' },
      { title: 'RATE', field: 'rate' },
    ],
    empty: 'No faults.',
  });
}
