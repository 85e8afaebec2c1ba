import type { TestProject } from 'vitest/node';
import { openRunEmulator, type RunEmulator } from '../index.js';
import type {} from './provided.js';

let emulator: RunEmulator | undefined;

/** Prepares the emulator of the run: `globalSetup: 'tokenctl/vitest/setup'`. */
export async function setup(project: TestProject): Promise<void> {
  emulator = await openRunEmulator();
  project.provide('tokenctl', emulator.address);
}

export async function teardown(): Promise<void> {
  await emulator?.close();
}
