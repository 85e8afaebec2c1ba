import type { Context } from '../../../command.js';
import { durationFlag } from '../../../lib/durations.js';
import { usageError } from '../../../lib/errors.js';
import { withControl } from '../../shared/running-emulator.js';

export interface FaultOptions {
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

export async function run(options: FaultOptions, context: Context): Promise<void> {
  const { operation, method, path, status, latency, reset, retryAfter, times, rate } = options;
  if (status === undefined && latency === undefined && !reset)
    throw usageError('--status, --latency or --reset is missing.');
  const fault = {
    operation,
    method: method?.toUpperCase(),
    path,
    status,
    latency_ms: latency === undefined ? undefined : durationFlag(latency, '--latency'),
    reset,
    retry_after: retryAfter,
    times,
    rate: rate === undefined ? undefined : Number(rate),
  };
  await context.output.result(
    await withControl(context, (control) => control.call('POST', '/faults', fault)),
    {
      redaction: 'plain',
    },
  );
}
