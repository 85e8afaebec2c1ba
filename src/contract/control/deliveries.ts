import * as z from 'zod';
import { EVENT_TYPES } from '../event-types.js';
import { UNKNOWN_EVENT_TYPE } from '../problems.js';
import { timestamp } from '../schemas/common.js';

/** Milliseconds that a request waits at most for deliveries. */
const MAX_WAIT_MS = 600_000;
const DEFAULT_WAIT_MS = 10_000;

/** How long a request waits for deliveries, in milliseconds of the machine's clock. */
export const waitMs = z.int().min(0).max(MAX_WAIT_MS).default(DEFAULT_WAIT_MS);

/** A callback or webhook event that no receiver has accepted yet. Its body is not shown. */
export const pendingDelivery = z.strictObject({
  /** The header `SVC-REQUEST-ID` of the delivery. */
  request_id: z.string(),
  kind: z.enum(['callback', 'webhook']),
  tenant_id: z.string(),
  /** Of a callback. */
  reactor_id: z.string().optional(),
  webhook_id: z.string().optional(),
  event_id: z.string().optional(),
  event_type: z.string().optional(),
  /** Without query and user info. */
  url: z.string(),
  attempts: z.int().min(0),
  /** Why the last attempt failed: the status of the response, or the reason why there was none. */
  last_error: z.string().optional(),
  next_attempt_at: timestamp,
  waits_behind: z.strictObject({ event_id: z.string(), event_type: z.string() }).optional(),
});

export type PendingDelivery = z.output<typeof pendingDelivery>;

/** An event as webhooks deliver it, without the time of delivery. It never holds token data. */
export const webhookEvent = z.strictObject({
  id: z.string(),
  type: z.string(),
  timestamp,
  tenant_id: z.string(),
  /** The entity under its name, and `actor`. */
  data: z.record(z.string(), z.unknown()),
});

export type WebhookEvent = z.output<typeof webhookEvent>;

/** An event to send that nothing has caused. */
export const triggerRequest = z.strictObject({
  type: z.enum(EVENT_TYPES, UNKNOWN_EVENT_TYPE),
  /** A merge patch (RFC 7386) for the sample data of the event. */
  data: z.record(z.string(), z.unknown()).default({}),
  /** Id or name of the webhook that gets it, whatever it subscribes to; by default all that subscribe to it. */
  webhook: z.string().optional(),
});

const MAX_TIMES = 100;

export const resendRequest = z.strictObject({
  ids: z.array(z.string()).optional(),
  /** How often each is delivered. */
  times: z.int().min(1).max(MAX_TIMES).default(1),
  /** Delivers in random order instead of the order per entity. */
  shuffle: z.boolean().default(false),
});
