import * as z from 'zod';
import { METHODS } from '../operation-row.js';
import { OPERATION_IDS } from '../operations.js';
import { oneOf } from '../schemas/common.js';

/** The longest delay of a fault, in milliseconds. */
const MAX_LATENCY_MS = 600_000;
const MAX_PATH = 2_048;

const operation = oneOf(OPERATION_IDS);

const faultFields = z.strictObject({
  /** Only this operation; every request by default. */
  operation: operation.optional(),
  method: z.enum(METHODS).optional(),
  path: z.string().max(MAX_PATH).startsWith('/', 'must start with "/"').optional(),
  /** Responds with this status instead of carrying the request out. */
  status: z.int().min(400).max(599).optional(),
  /** Waits first; milliseconds of the machine's clock. */
  latency_ms: z.int().min(1).max(MAX_LATENCY_MS).optional(),
  /** Closes the connection without a response. */
  reset: z.literal(true, 'must be true, or left out').optional(),
  /** Not the response, but the activation of the reactor or proxy that the request writes is late, or fails for a status. */
  activation: z.literal(true, 'must be true, or left out').optional(),
  /** Seconds of `Retry-After`, with a status. */
  retry_after: z.int().min(0).optional(),
  /** Removes the fault after this many requests; never by default. */
  times: z.int().min(1).optional(),
  /** The share of requests, from 0 to 1; all of them by default. */
  rate: z.number().gt(0).max(1).optional(),
});

/** Which requests a fault applies to and what it does to them. */
export const faultSpec = faultFields.refine(
  ({ status, latency_ms, reset }) => status !== undefined || latency_ms !== undefined || reset,
  { path: ['status'], error: 'must be given, or latency_ms, or reset' },
);

export const fault = z.strictObject({
  id: z.string(),
  /** Only requests of this tenant; absent for a fault of all tenants. */
  tenant_id: z.string().optional(),
  ...faultFields.shape,
});

export type FaultSpec = z.output<typeof faultSpec>;
export type Fault = z.output<typeof fault>;
