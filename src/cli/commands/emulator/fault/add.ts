import { METHODS } from '../../../../contract/operation.js';
import { OPERATION_IDS } from '../../../../contract/operations.js';
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
  const fault = await withControl(context, (control) =>
    control.call('faults.add', {
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

/** @throws {CliError} when the value is not one of the known ones. */
function oneOf<Value extends string>(
  known: readonly Value[],
  value: string | undefined,
  flag: string,
): Value | undefined {
  if (value === undefined) return undefined;
  const found = known.find((one) => one === value);
  if (found !== undefined) return found;
  throw usageError(`${flag} must be one of ${known.join(', ')}.`);
}
