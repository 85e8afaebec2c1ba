import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../command.js';
import type { FailureCategory } from '../../lib/errors.js';
import { toFailure } from '../../lib/to-failure.js';

/** The result of a check. */
export interface CheckResult {
  check: string;
  status: 'ok' | 'warning' | 'problem';
  /** What the check found. */
  detail: string;
  /** How to fix it: a command to run where there is one. */
  fix?: string;
  /** Of a problem: the failure that commands report because of it. Decides the exit code. */
  category?: FailureCategory;
}

/** Checks a part of the setup. The list is empty when there is nothing to report. */
export interface Check {
  name: string;
  run: (context: Context) => Promise<CheckResult[]>;
}

export function passed(check: string, detail: string): CheckResult {
  return { check, status: 'ok', detail };
}

export function warning(check: string, detail: string, fix: string): CheckResult {
  return { check, status: 'warning', detail, fix };
}

export function problem(check: string, category: FailureCategory, detail: string, fix: string): CheckResult {
  return { check, status: 'problem', detail, fix, category };
}

/** Reports a failure of a step as a problem. */
export function failedCheck(check: string, error: unknown): CheckResult {
  const { category, detail, hint = 'Correct this, then run again: tokenctl doctor' } = toFailure(error);
  return problem(check, category, detail, hint);
}

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
