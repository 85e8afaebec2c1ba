import { ProblemError } from '../../../http/problem.js';
import type { TraceRecorder } from '../trace/traces.js';

/** Runs an invocation and notes in its trace with which status it ended. */
export async function settled<T>(trace: TraceRecorder, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    trace.end(200);
    return result;
  } catch (error) {
    trace.end(error instanceof ProblemError ? error.status : 500);
    throw error;
  }
}
