import type { Stats } from '../../../../contract/control/status.js';

/** A reading of the counters and when it was taken, in milliseconds of the monotonic clock. */
export interface Reading {
  at: number;
  stats: Stats;
}

/** What an emulator did in one interval, and its sizes at the end. */
export interface Sample {
  /** ISO 8601, the time of this machine. */
  time: string;
  interval_ms: number;
  requests_per_second: number;
  /** Responses with a status of 400 to 499, and of 500 and above. */
  client_errors_per_second: number;
  server_errors_per_second: number;
  /** Latency that half, and 95 of 100 requests did not exceed; null without requests. */
  p50_ms: number | null;
  p95_ms: number | null;
  reactors: Stats['reactors'];
  store: Stats['store'];
  large_requests: Stats['large_requests'];
  memory_bytes: number;
}

export function sampleOf(before: Reading, after: Reading): Sample {
  const { requests, latency, reactors, store, large_requests, memory_bytes } = after.stats;
  const intervalMs = Math.max(1, after.at - before.at);
  // After a restart, the counters begin at 0 again.
  const isRestarted = requests.total < before.stats.requests.total;
  const earlier = isRestarted ? undefined : before.stats;
  const perSecond = (name: keyof Stats['requests']) =>
    round((1_000 * (requests[name] - (earlier?.requests[name] ?? 0))) / intervalMs);
  const counts = latency.counts.map((count, index) => count - (earlier?.latency.counts[index] ?? 0));
  return {
    time: new Date().toISOString(),
    interval_ms: Math.round(intervalMs),
    requests_per_second: perSecond('total'),
    client_errors_per_second: perSecond('client_errors'),
    server_errors_per_second: perSecond('server_errors'),
    p50_ms: quantile(0.5, counts, latency.bounds_ms),
    p95_ms: quantile(0.95, counts, latency.bounds_ms),
    reactors,
    store,
    large_requests,
    memory_bytes,
  };
}

/** Estimates a quantile from the counts of buckets: linear within a bucket. @returns null if all counts are 0 */
export function quantile(share: number, counts: readonly number[], bounds: readonly number[]): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let rest = share * total;
  for (const [index, count] of counts.entries()) {
    const lower = bounds[index - 1] ?? 0;
    // The last bucket has no upper bound.
    const upper = bounds[index] ?? lower;
    if (count >= rest && count > 0) return round(lower + ((upper - lower) * rest) / count);
    rest -= count;
  }
  return bounds.at(-1) ?? null;
}

const round = (value: number): number => Math.round(value * 10) / 10;
