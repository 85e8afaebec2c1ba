import type { TestProject } from 'vitest/node';
import { openTestRunEmulator, type TestRunEmulator } from '../index.js';
import type {} from './provided.js';

let emulator: TestRunEmulator | undefined;

/** Prepares the emulator of the run: `globalSetup: 'tokenctl/vitest/setup'`. */
export async function setup(project: TestProject): Promise<void> {
  emulator = await openTestRunEmulator();
  project.provide('tokenctl', emulator.address);
}

export async function teardown(): Promise<void> {
  await emulator?.close();
}
