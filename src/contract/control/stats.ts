import * as z from 'zod';

const count = z.int().min(0);
const milliseconds = z.number().min(0);

/**
 * Counters since the start, and sizes at this moment, of all processes that share the store; `uptime_ms` and `bytes` are those of the
 * process that responds, and so is `large_requests`. Rates and percentiles of an interval are the difference
 * of two readings.
 */
export const stats = z.strictObject({
  uptime_ms: milliseconds,
  /** Requests of the service; those to `/_emulator` are not counted. */
  requests: z.strictObject({
    total: count,
    /** Responses with a status of 400 to 499. */
    client_errors: count,
    /** Responses with a status of 500 and above. */
    server_errors: count,
  }),
  latency: z.strictObject({
    bounds_ms: z.array(milliseconds),
    /** Requests by bucket, not cumulative; one more than there are bounds. */
    counts: z.array(count),
  }),
  /** Invocations that run or wait for an instance, and warm instances that wait for one. */
  reactors: z.strictObject({ running: count, queued: count, idle: count }),
  store: z.strictObject({
    tokens: count,
    /** Bytes of the files in the data directory; absent without one. */
    bytes: count.optional(),
  }),
  /** What large requests hold, and the tenants that hold or wait for most of it. */
  large_requests: z.strictObject({
    held_bytes: count,
    capacity_bytes: count,
    waiting: count,
    holders: z.array(z.strictObject({ tenant_id: z.string(), bytes: count, waiting: count })),
  }),
  /** Resident memory of the processes. */
  memory_bytes: count,
});

export type Stats = z.output<typeof stats>;
