import { DateTime } from 'luxon';
import * as z from 'zod';
import { parseDuration } from '../../src/contract/durations.js';
import type { AdjustableClock } from '../lib/clock.js';

/** Years that a date of JavaScript can hold, with room to spare on both sides. */
const [EARLIEST, LATEST] = [Date.UTC(1970, 0), Date.UTC(9999, 0)];

const instant = z.string().transform((text, context) => {
  const time = DateTime.fromISO(text, { zone: 'utc' });
  if (time.isValid && time.toMillis() >= EARLIEST && time.toMillis() < LATEST) return time.toMillis();
  context.addIssue({ code: 'custom', message: 'must be an ISO 8601 date-time from 1970 to 9998' });
  return z.NEVER;
});

const duration = z.string().transform((text, context) => {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  context.addIssue({ code: 'custom', message: 'must be a duration such as 90m, 1h30m, 2d or PT90M' });
  return z.NEVER;
});

/** `PUT /_emulator/clock`: one of the four. */
export const clockChange = z.union(
  [
    z.strictObject({ now: instant }),
    z.strictObject({ advance: duration }),
    z.strictObject({ frozen: z.boolean() }),
    /** Back to the time it was started with. */
    z.strictObject({ reset: z.literal(true) }),
  ],
  'must be { now } (ISO 8601), { advance } (90m, 1h30m, 2d, PT90M), { frozen } (true or false) or { reset: true }',
);

export function clockState(clock: AdjustableClock) {
  return { now: clock.timestamp(), frozen: clock.frozen, offset_ms: clock.offset };
}

/** Answers when everything that is due has happened. */
export async function changeClock(
  clock: AdjustableClock,
  change: z.output<typeof clockChange>,
): Promise<void> {
  if ('now' in change) return clock.set(change.now);
  if ('advance' in change) return advanceWithin(clock, change.advance);
  if ('reset' in change) return clock.reset();
  return change.frozen ? clock.freeze() : clock.resume();
}

function advanceWithin(clock: AdjustableClock, ms: number): Promise<void> {
  return clock.set(Math.min(Math.max(clock.now() + ms, EARLIEST), LATEST));
}
