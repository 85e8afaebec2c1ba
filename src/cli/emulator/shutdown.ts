import { LIMITS } from '../../contract/limits.js';

/**
 * How long the end of an emulator may take before its process leaves, in milliseconds: it finishes what runs, which may
 * be a reactor, and then writes everything down.
 */
export const EMULATOR_END_MS = LIMITS.syncTimeoutMs + 30_000;
