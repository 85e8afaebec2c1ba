import type { Failure } from '../../lib/errors.js';
import { toFailure } from '../../lib/to-failure.js';

/** An error as all JSON output contains it. */
export interface ReportedError extends Omit<Failure, 'traceId'> {
  trace_id?: string | undefined;
}

/** Converts anything thrown to the error of a report. */
export function toReportedError(error: unknown): ReportedError {
  const { traceId, ...failure } = toFailure(error);
  return { ...failure, trace_id: traceId };
}
