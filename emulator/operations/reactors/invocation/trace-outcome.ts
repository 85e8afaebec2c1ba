import { ProblemError } from '../../../problems/problem.js';
import type { TraceRecorder } from '../../../services/reactor-traces/traces.js';
import type { ReactorRecord } from '../../../store/records.js';
import type { Call } from '../../call.js';
import type { Context } from '../../context.js';

/** Begins the trace of an invocation. */
export function beginTrace(
  reactor: ReactorRecord,
  call: Call,
  { traces, clock }: Pick<Context, 'traces' | 'clock'>,
): TraceRecorder {
  const { id, tenant_id, name } = reactor;
  const { traceId: trace_id, depth } = call;
  return traces.begin({ trace_id, tenant_id, reactor_id: id, depth, started_at: clock.timestamp() }, name);
}

/** Runs a step of an invocation. If it fails, the trace ends with the status of the failure. */
export async function recordFailure<T>(trace: TraceRecorder, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    trace.end(error instanceof ProblemError ? error.status : 500);
    throw error;
  }
}

/** Runs the last step of an invocation and ends the trace with its status. */
export async function traceOutcome<T>(trace: TraceRecorder, work: () => Promise<T>): Promise<T> {
  const result = await recordFailure(trace, work);
  trace.end(200);
  return result;
}
