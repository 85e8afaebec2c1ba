import type { FailureCategory } from '../../lib/errors.js';
import { toFailure } from '../../lib/to-failure.js';

export interface CheckResult {
  check: string;
  status: 'ok' | 'warning' | 'problem';
  detail: string;
  fix?: string;
  /** Of a problem: the failure that commands report because of it. Decides the exit code. */
  category?: FailureCategory;
}

/** Yields what was found out about a part of the setup. What it throws is a problem as well. */
export type Results = AsyncGenerator<CheckResult, void, void>;

export const passed = (check: string, detail: string): CheckResult => ({ check, status: 'ok', detail });

export const warning = (check: string, detail: string, fix: string): CheckResult => ({
  check,
  status: 'warning',
  detail,
  fix,
});

export const problem = (
  check: string,
  category: FailureCategory,
  detail: string,
  fix: string,
): CheckResult => ({ check, status: 'problem', detail, fix, category });

export function failedCheck(check: string, error: unknown): CheckResult {
  const { category, detail, hint = 'Correct this, then run again: tokenctl doctor' } = toFailure(error);
  return problem(check, category, detail, hint);
}
