import { ProblemError } from '../../../problems/problem.js';
import type { TraceRecorder } from '../../../services/reactor-traces/traces.js';

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
