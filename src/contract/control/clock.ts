import * as z from 'zod';
import { parseDuration } from '../durations.js';
import { timestamp } from '../schemas/common.js';
import { pendingDelivery, waitMs } from './deliveries.js';

const duration = z
  .string()
  .refine((text) => parseDuration(text) !== undefined, 'must be a duration such as 90m, 1h30m, 2d or PT90M');

/** Milliseconds to wait for what becomes due to be delivered. */
const wait = { wait_ms: waitMs };

/** One of the four. */
export const clockChange = z.union(
  [
    /** ISO 8601 date-time, from 1970 to 9998; UTC without an offset. */
    z.strictObject({ now: z.string(), ...wait }),
    /** Moves back with a minus. */
    z.strictObject({ advance: duration, ...wait }),
    z.strictObject({ frozen: z.boolean(), ...wait }),
    /** Back to the time of the start. */
    z.strictObject({ reset: z.literal(true), ...wait }),
  ],
  'must be { now } (ISO 8601), { advance } (90m, 1h30m, 2d, PT90M), { frozen } (true or false) or { reset: true }; wait_ms with any',
);

export const clockState = z.strictObject({
  now: timestamp,
  frozen: z.boolean(),
  /** Milliseconds ahead of the machine's clock. */
  offset_ms: z.number(),
});

/** The clock after a change. */
export const changedClock = z.strictObject({
  ...clockState.shape,
  /** What became due and was not delivered in time: the receiver did not respond, or the reactor still runs. */
  pending: z.array(pendingDelivery),
});

export type ClockChange = z.input<typeof clockChange>;
export type ClockState = z.output<typeof clockState>;
