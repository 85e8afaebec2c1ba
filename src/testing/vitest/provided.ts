import type { EmulatorAddress } from '../emulator.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The emulator of the run. */
    tokenctl: EmulatorAddress;
  }
}
