// The second entry point for the CLI: a check of reactor code needs the sandbox without the rest of the emulator.
export { hasStuckWorkers } from './pool/instance.js';
export { MAX_SPARES } from './pool/spares.js';
export { createSandbox, type Sandbox } from './sandbox.js';
