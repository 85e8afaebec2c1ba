import type { Reporter } from '@playwright/test/reporter';

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

/** Work that waits until all reporters have written their files. */
type Work = () => Promise<void>;

// The setup and the reporter are files of their own in the package, so that they meet in the process.
const KEY = Symbol.for('tokenctl.playwright.after-reports');
const shared = globalThis as { [KEY]?: Work[] };

/** Prepares for `afterReports`: the configuration lists the reporter of the kit. */
export function expectReports(): void {
  shared[KEY] = [];
}

/** Leaves work to the reporter of the kit. @returns false if the configuration does not list it */
export const afterReports = (work: Work): boolean => shared[KEY]?.push(work) !== undefined;

/** Does the work that was left. */
export async function finishReports(): Promise<void> {
  for (const work of shared[KEY]?.splice(0) ?? []) await work();
}
