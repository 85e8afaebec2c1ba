import * as z from 'zod';

const count = z.int().min(0);
const milliseconds = z.number().min(0);

const storeHealth = z.strictObject({
  kind: z.enum(['memory', 'disk', 'postgres']),
  /** `full`: writes are 507. `read_only`: the database refuses writes. `unavailable`: requests are 503 or 500. */
  state: z.enum(['ok', 'full', 'read_only', 'unavailable']),
  /** Why it is unavailable: an error code of the system or the database, `timeout`, or `unknown`. */
  error: z.string().optional(),
  /** `disk`: bytes that the file system of the data directory has left. */
  free_bytes: count.optional(),
  /** `postgres`: how long the database took to respond. */
  response_ms: milliseconds.optional(),
  /** `postgres`: the last migration of the database. Above `known_schema_version` after a newer version has migrated it. */
  schema_version: count.optional(),
  /** `postgres`: the last migration that this version of tokenctl knows. */
  known_schema_version: count.optional(),
});

export const health = z.strictObject({
  /** `degraded`: the process runs, and its store is not `ok`. */
  status: z.enum(['ok', 'degraded']),
  version: z.string(),
  uptime_ms: milliseconds,
  /** Whether rate limits apply. They count per client address, so that tests of one machine share them. */
  rate_limit: z.boolean(),
  store: storeHealth,
});

export type StoreHealth = z.output<typeof storeHealth>;
export type Health = z.output<typeof health>;

/** Counters since the start and sizes now, of all processes; `uptime_ms`, `bytes`, `large_requests` of this one. */
export const stats = z.strictObject({
  uptime_ms: milliseconds,
  /** Requests of the service; those to `/_emulator` are not counted. */
  requests: z.strictObject({
    total: count,
    client_errors: count,
    server_errors: count,
  }),
  latency: z.strictObject({
    bounds_ms: z.array(milliseconds),
    /** Requests by bucket, not cumulative; one more than there are bounds. */
    counts: z.array(count),
  }),
  /** Invocations that run or wait for an instance, warm instances that wait for one, and the memory of all instances. */
  reactors: z.strictObject({ running: count, queued: count, idle: count, memory_bytes: count }),
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
