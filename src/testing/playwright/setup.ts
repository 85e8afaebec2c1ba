import type { FullConfig } from '@playwright/test';
import { CONTROL_PREFIX } from '../../contract/control/endpoint.js';
import { connectEmulator, type EmulatorAddress, openRunEmulator } from '../index.js';
import { afterReports } from './after-reports.js';
import { type Redact, redactFiles } from './redact-files.js';
import { redactReports } from './report-outputs.js';

/** Pages under test call the service from this machine, on any port. */
const PAGE_ORIGINS = ['http://localhost:*', 'http://127.0.0.1:*'];

/**
 * Prepares the emulator of the run: `globalSetup: 'tokenctl/playwright/setup'`. Workers find it in the environment, as the command of
 * `emulator exec` does.
 * @returns the teardown, which redacts the files that the tests left, before reporters copy them
 */
export default async function setup(config: FullConfig): Promise<() => Promise<void>> {
  const { address, close } = await openRunEmulator(PAGE_ORIGINS);
  process.env.TOKENCTL_CONTROL_URL = `${address.url}${CONTROL_PREFIX}`;
  process.env.TOKENCTL_CONTROL_TOKEN = address.controlToken;
  const directories = new Set(config.projects.map(({ outputDir }) => outputDir));
  const finish = async () => {
    await redactWith(address, (redact) => redactReports(config, redact)).finally(close);
  };
  return async () => {
    try {
      await redactWith(address, async (redact) => {
        for (const directory of directories) await redactFiles(directory, redact);
      });
    } finally {
      if (!afterReports(finish)) {
        warnOfReport(config);
        await close();
      }
    }
  };
}

function warnOfReport({ reporter }: FullConfig): void {
  if (reporter.some(([name]) => name === 'html' || name === 'blob'))
    console.error(
      "The report of this run is not redacted: list the reporter of the kit last, reporter: [['html'], ['tokenctl/playwright/reporter']].",
    );
}

async function redactWith(address: EmulatorAddress, work: (redact: Redact) => Promise<void>): Promise<void> {
  const emulator = await connectEmulator(address);
  try {
    await work((text) => emulator.redact(text));
  } catch (error) {
    // Only the kits, exec and access record start an emulator that remembers the data of tokens.
    if ((error as { status?: number }).status !== 404) throw error;
    console.error('The files of this run are not redacted: run it inside of `tokenctl emulator exec`.');
  } finally {
    await emulator.close();
  }
}
