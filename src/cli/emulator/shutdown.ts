import { LIMITS } from '../../contract/limits.js';

/**
 * Time an emulator may take to shut down before its process exits, in milliseconds. It finishes its requests, one of
 * which may run a reactor, and then flushes its data.
 */
export const EMULATOR_SHUTDOWN_MS = LIMITS.syncTimeoutMs + 30_000;
