import { METHODS } from '../../../contract/operation-row.js';
import { OPERATION_IDS } from '../../../contract/operations.js';
import type { Context } from '../../command.js';
import { durationFlag } from '../../lib/durations.js';
import { usageError } from '../../lib/errors.js';
import { oneOf } from '../shared/one-of.js';
import { type TenantOption, withControl } from '../shared/running-emulator.js';

interface FaultOptions extends TenantOption {
  operation?: string | undefined;
  method?: string | undefined;
  path?: string | undefined;
  status?: number | undefined;
  latency?: string | undefined;
  reset?: boolean | undefined;
  retryAfter?: number | undefined;
  times?: number | undefined;
  rate?: string | undefined;
}

export async function addFault(options: FaultOptions, context: Context): Promise<void> {
  const { tenant, operation, method, path, status, latency, reset, retryAfter, times, rate } = options;
  if (status === undefined && latency === undefined && !reset)
    throw usageError('--status, --latency or --reset is missing.');
  const fault = await withControl(context, (control) =>
    control.call('faults.add', {
      tenant,
      body: {
        operation: oneOf(OPERATION_IDS, operation, '--operation'),
        method: oneOf(METHODS, method?.toUpperCase(), '--method'),
        path,
        status,
        latency_ms: latency === undefined ? undefined : durationFlag(latency, '--latency'),
        reset: reset || undefined,
        retry_after: retryAfter,
        times,
        rate: rate === undefined ? undefined : Number(rate),
      },
    }),
  );
  await context.output.result(fault, { redaction: 'plain' });
}

export async function listFaults({ tenant }: TenantOption, context: Context): Promise<void> {
  const { faults } = await withControl(context, (control) => control.call('faults.list', { tenant }));
  await context.output.list(faults, {
    redaction: 'plain',
    columns: [
      { title: 'ID', field: 'id', format: 'id', importance: 3 },
      { title: 'TENANT', field: 'tenant_id', format: 'id' },
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

export async function clearFaults(
  { id, tenant }: { id: string | undefined } & TenantOption,
  context: Context,
): Promise<void> {
  await withControl(context, (control) =>
    id === undefined
      ? control.call('faults.clear', { tenant })
      : control.call('faults.remove', { tenant, path: { id } }),
  );
  context.output.notice(id === undefined ? 'Removed all faults.' : `Removed fault ${id}.`);
}
