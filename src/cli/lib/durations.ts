import { parseDuration } from '../../contract/durations.js';
import { usageError } from './errors.js';
import { repeatable } from './text.js';

/** The longest delay that `setTimeout` accepts, in milliseconds. A longer one would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** Parses a flag, a number of seconds or a duration (`90s`, `1h30m`, `PT90M`), to milliseconds that a timer accepts. */
export function durationFlag(text: string, flag: string): number {
  const ms = /^\d+(\.\d+)?$/.test(text) ? Math.round(Number(text) * 1000) : parseDuration(text);
  if (ms !== undefined && ms >= 1 && ms <= MAX_TIMER_MS) return ms;
  throw usageError(
    `${flag} must be seconds (60) or a duration (90s, 1h30m, PT90M), not ${repeatable(text)}.`,
  );
}
