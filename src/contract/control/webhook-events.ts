import * as z from 'zod';
import { timestamp } from '../schemas/common.js';

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

/** The most deliveries of one request for another delivery. */
const MAX_TIMES = 100;

/** Which recent events are delivered again, and how. */
export const resendRequest = z.strictObject({
  /** Event ids; every recent event by default. */
  ids: z.array(z.string()).optional(),
  /** How often each is delivered. */
  times: z.int().min(1).max(MAX_TIMES).default(1),
  /** Delivers in random order instead of the order per entity. */
  shuffle: z.boolean().default(false),
});
