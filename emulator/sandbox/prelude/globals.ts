import { Buffer } from 'buffer';
import { createConsole } from './console.js';
import type { Host } from './host.js';
import { timerGlobals } from './timers.js';

/** Adds what Node.js has and the engine has not; not enumerable, like the engine's own. */
export function installGlobals(host: Host): void {
  define({ ...timerGlobals(host), console: createConsole(host), Buffer, global: globalThis });
}

function define(values: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true });
  }
}
