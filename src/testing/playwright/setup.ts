import type { FullConfig } from '@playwright/test';
import { CONTROL_PREFIX } from '../../contract/control/endpoint.js';
import { connectEmulator, type EmulatorAddress, openRunEmulator } from '../index.js';
import { redactFiles } from './redact-files.js';

/** Pages under test call the service from this machine, on any port. */
const PAGE_ORIGINS = ['http://localhost:*', 'http://127.0.0.1:*'];

/**
 * Prepares the emulator of the run: `globalSetup: 'tokenctl/playwright/setup'`. Workers find it in the environment, as the command of
 * `emulator exec` does.
 * @returns the teardown, which redacts the files that the tests left, before reporters copy them
 */
export default async function setup({ projects }: FullConfig): Promise<() => Promise<void>> {
  const { address, close } = await openRunEmulator(PAGE_ORIGINS);
  process.env.TOKENCTL_CONTROL_URL = `${address.url}${CONTROL_PREFIX}`;
  process.env.TOKENCTL_CONTROL_TOKEN = address.controlToken;
  const directories = new Set(projects.map(({ outputDir }) => outputDir));
  return async () => {
    try {
      await redactResults(directories, address);
    } finally {
      await close();
    }
  };
}

async function redactResults(directories: Iterable<string>, address: EmulatorAddress): Promise<void> {
  const emulator = await connectEmulator(address);
  try {
    for (const directory of directories) await redactFiles(directory, (text) => emulator.redact(text));
  } catch (error) {
    // Only the kits, exec and access record start an emulator that remembers the data of tokens.
    if ((error as { status?: number }).status !== 404) throw error;
    console.error('The traces of this run are not redacted: run it inside of `tokenctl emulator exec`.');
  } finally {
    await emulator.close();
  }
}
