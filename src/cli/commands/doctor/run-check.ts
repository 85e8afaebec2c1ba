import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../command.js';
import { type Check, type CheckResult, failedCheck, problem } from './check.js';

/** Time for all steps of a check, each of which has a shorter limit of its own. Milliseconds. */
const LIMIT_MS = 60_000;

/** Runs a check. It never throws, except for an interruption, and ends within a limit. */
export async function runCheck({ name, run }: Check, context: Context): Promise<CheckResult[]> {
  const done = new AbortController();
  const limit = sleep(LIMIT_MS, undefined, { signal: done.signal, ref: false }).then(() => [
    problem(name, 'timeout', `not finished within ${LIMIT_MS / 1000} s`, 'tokenctl doctor --debug'),
  ]);
  limit.catch(() => {});
  try {
    return await Promise.race([run(context), limit]);
  } catch (error) {
    context.signal.throwIfAborted();
    return [failedCheck(name, error)];
  } finally {
    done.abort();
  }
}
