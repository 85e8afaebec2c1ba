import * as z from 'zod';
import { parseDuration } from '../durations.js';
import { timestamp } from '../schemas/common.js';

const duration = z
  .string()
  .refine((text) => parseDuration(text) !== undefined, 'must be a duration such as 90m, 1h30m, 2d or PT90M');

/** One of the four. */
export const clockChange = z.union(
  [
    /** ISO 8601 date-time, from 1970 to 9998; UTC without an offset. */
    z.strictObject({ now: z.string() }),
    /** Moves back with a minus. */
    z.strictObject({ advance: duration }),
    z.strictObject({ frozen: z.boolean() }),
    /** Back to the time of the start. */
    z.strictObject({ reset: z.literal(true) }),
  ],
  'must be { now } (ISO 8601), { advance } (90m, 1h30m, 2d, PT90M), { frozen } (true or false) or { reset: true }',
);

export const clockState = z.strictObject({
  now: timestamp,
  frozen: z.boolean(),
  /** Milliseconds ahead of the machine's clock. */
  offset_ms: z.number(),
});

export type ClockChange = z.output<typeof clockChange>;
export type ClockState = z.output<typeof clockState>;
