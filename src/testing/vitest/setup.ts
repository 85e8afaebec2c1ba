import type { TestProject } from 'vitest/node';
import type { EmulatorAddress } from '../emulator.js';
import { openRunEmulator, type RunEmulator, type RunOptions } from '../index.js';

let emulator: RunEmulator | undefined;

/** Prepares the emulator of the run: `globalSetup: 'tokenctl/vitest/setup'`. */
export async function setup(project: TestProject): Promise<void> {
  emulator = await openRunEmulator(project.getProvidedContext().emulatorOptions);
  project.provide('tokenctl', emulator.address);
}

export async function teardown(): Promise<void> {
  await emulator?.close();
}

declare module 'vitest' {
  interface ProvidedContext {
    tokenctl: EmulatorAddress;
    /** In the configuration: options of the emulator that the run starts, or the address of one that runs. */
    emulatorOptions?: RunOptions;
  }
}
