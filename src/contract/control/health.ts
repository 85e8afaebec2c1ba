import * as z from 'zod';

const count = z.int().min(0);
const milliseconds = z.number().min(0);

/** The state of a store, without anything of its content, its address or its user. */
const storeHealth = z.strictObject({
  kind: z.enum(['memory', 'disk', 'postgres']),
  /**
   * `full`: reads work, writes are answered with 507. `read_only`: the database is a standby, or refuses writes.
   * `unavailable`: requests are answered with 503 or 500.
   */
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

/** The state of one process of the emulator. */
export const health = z.strictObject({
  /** `degraded`: the process runs, and its store is not `ok`. */
  status: z.enum(['ok', 'degraded']),
  /** The version of tokenctl. */
  version: z.string(),
  uptime_ms: milliseconds,
  /** Whether rate limits apply. They count per client address, so that tests of one machine share them. */
  rate_limit: z.boolean(),
  store: storeHealth,
});

export type StoreHealth = z.output<typeof storeHealth>;
export type Health = z.output<typeof health>;
