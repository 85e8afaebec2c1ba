import type { Reporter } from '@playwright/test/reporter';
import { expectReports, finishReports } from './redact-files.js';

/** Redacts what other reporters have written. List it after them: `[['html'], ['tokenctl/playwright/reporter']]`. */
export default class RedactingReporter implements Reporter {
  constructor() {
    expectReports();
  }

  printsToStdio(): boolean {
    return false;
  }

  async onEnd(): Promise<void> {
    await finishReports();
  }
}
