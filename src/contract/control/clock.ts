import * as z from 'zod';
import { parseDuration } from '../durations.js';
import { timestamp } from '../schemas/common.js';
import { pendingDelivery, waitMs } from './deliveries.js';

const duration = z
  .string()
  .refine((text) => parseDuration(text) !== undefined, 'must be a duration such as 90m, 1h30m, 2d or PT90M');

/** Milliseconds to wait for what becomes due to be delivered. */
const wait = { wait_ms: waitMs };

/** Something that happens when the clock reaches a time. */
export const dueItem = z.strictObject({
  at: timestamp,
  /** A token, token intent or application key expires, the cvc of a token is deleted, or the next attempt of a delivery is made. */
  kind: z.enum(['token', 'cvc', 'token_intent', 'application_key', 'callback', 'webhook']),
  tenant_id: z.string(),
  /** Of the token, token intent or key; of a delivery, its request id. */
  id: z.string(),
  event_type: z.string().optional(),
});

export const clockChange = z.union(
  [
    /** ISO 8601 date-time, from 1970 to 9998; UTC without an offset. */
    z.strictObject({ now: z.string(), ...wait }),
    /** Moves back with a minus. */
    z.strictObject({ advance: duration, ...wait }),
    /** Forward to the time at which something becomes due. */
    z.strictObject({ next: z.literal(true), ...wait }),
    z.strictObject({ frozen: z.boolean(), ...wait }),
    /** Back to the time of the start. */
    z.strictObject({ reset: z.literal(true), ...wait }),
  ],
  'must be { now } (ISO 8601), { advance } (90m, 1h30m, 2d, PT90M), { next: true }, { frozen } (true or false) or { reset: true }; wait_ms with any',
);

export const clockState = z.strictObject({
  now: timestamp,
  frozen: z.boolean(),
  /** Milliseconds ahead of the machine's clock. */
  offset_ms: z.number(),
});

export const changedClock = z.strictObject({
  ...clockState.shape,
  /** What became due and was not delivered in time: the receiver did not respond, or the reactor still runs. */
  pending: z.array(pendingDelivery),
  /** With `next`: what became due. */
  due: z.array(dueItem).optional(),
});

export type ClockChange = z.input<typeof clockChange>;
export type DueItem = z.output<typeof dueItem>;
export type ChangedClock = z.output<typeof changedClock>;
export type ClockState = z.output<typeof clockState>;
