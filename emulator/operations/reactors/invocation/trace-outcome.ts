import { ProblemError } from '../../../problems/problem.js';
import type { TraceRecorder } from '../../../services/reactor-traces/traces.js';

/** Runs a part of an invocation; a failure is its end, and the trace notes with which status. */
export async function recordFailure<T>(trace: TraceRecorder, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    trace.end(error instanceof ProblemError ? error.status : 500);
    throw error;
  }
}

/** Runs the last part of an invocation and notes in its trace how it ended. */
export async function traceOutcome<T>(trace: TraceRecorder, work: () => Promise<T>): Promise<T> {
  const result = await recordFailure(trace, work);
  trace.end(200);
  return result;
}
