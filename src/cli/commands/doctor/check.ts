import type { Context } from '../../command.js';

/** What one look at the setup found. */
export interface CheckResult {
  check: string;
  status: 'ok' | 'warning' | 'problem';
  /** What was found. */
  detail: string;
  /** How to mend it. */
  fix?: string;
}

/** One look at the setup; it may find nothing to say. */
export type Check = (context: Context) => Promise<CheckResult[]>;
