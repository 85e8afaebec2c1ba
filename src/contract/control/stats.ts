import * as z from 'zod';

const count = z.int().min(0);
const milliseconds = z.number().min(0);

/**
 * Upper bounds of the latency buckets, in milliseconds, about five per decade. A last bucket holds what took longer: the
 * deadline of a reactor is 210 s.
 */
export const LATENCY_BOUNDS_MS = [
  0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1_000,
  1_500, 2_000, 3_000, 5_000, 7_000, 10_000, 15_000, 20_000, 30_000, 60_000, 120_000, 240_000,
] as const;

/**
 * Counters of this process since its start, and sizes at this moment. Rates and percentiles of an interval are the difference
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
  /** Resident memory of the process. */
  memory_bytes: count,
});

export type Stats = z.output<typeof stats>;
