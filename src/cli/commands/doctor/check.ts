import type { Context } from '../../command.js';

/** The result of a check. */
export interface CheckResult {
  check: string;
  status: 'ok' | 'warning' | 'problem';
  /** What the check found. */
  detail: string;
  /** How to fix it. */
  fix?: string;
}

/** Checks a part of the setup. The list is empty when there is nothing to report. */
export type Check = (context: Context) => Promise<CheckResult[]>;
