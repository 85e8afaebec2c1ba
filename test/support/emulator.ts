import type * as emulator from '../../emulator/index.js';
import type * as sandbox from '../../emulator/sandbox/index.js';
import { requireOfPackage } from './executable.js';

export type * from '../../emulator/index.js';

/** The emulator that users start: the bundle of the package, in this process. */
export const { checkDataDir, LeakWatch, openEmulator, StartError, startEmulator } = requireOfPackage(
  './dist/emulator.cjs',
) as typeof emulator;

/** The sandbox with which the CLI checks code, from a bundle of its own. */
export const { createSandbox } = requireOfPackage('./dist/sandbox.cjs') as typeof sandbox;
