import { afterAll, beforeAll } from 'vitest';
import { type EmulatorOptions, type RunningEmulator, startEmulator } from '../support/emulator.js';

/** Starts an emulator as clients of the API family need it: with their header prefix, and lenient. */
export function useFamilyEmulator(options: EmulatorOptions = {}): () => RunningEmulator {
  let emulator: RunningEmulator | undefined;
  beforeAll(async () => {
    emulator = await startEmulator({
      port: 0,
      headerPrefix: 'BT',
      lenient: true,
      rateLimit: false,
      ...options,
    });
  });
  afterAll(() => emulator?.close());
  return () => {
    if (emulator === undefined) throw new Error('The emulator runs within tests only.');
    return emulator;
  };
}
