import { format, inspect } from 'node:util';
import type { ConsoleEntry } from '../invocation.js';

const LEVELS = ['debug', 'log', 'info', 'warn', 'error'] as const;

/** Redirects the global `console` to the reactor's log. */
export function redirectConsole(write: (level: ConsoleEntry['level'], message: string) => void): void {
  for (const level of LEVELS) console[level] = (...args: unknown[]) => write(level, format(...args));
  console.dir = (value: unknown, options?: object) => write('log', inspect(value, options));
  console.trace = (...args: unknown[]) => write('error', `Trace: ${format(...args)}`);
}
