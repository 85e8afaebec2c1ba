// The second entry point for the CLI: a check of reactor code needs the sandbox without the rest of the emulator.
export { createSandbox, type Sandbox } from './sandbox.js';
