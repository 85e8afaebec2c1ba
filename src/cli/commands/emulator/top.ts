import { setTimeout as sleep } from 'node:timers/promises';
import type { ControlClient } from '../../../client/control.js';
import type { Stats } from '../../../contract/control/status.js';
import type { Context } from '../../command.js';
import type { Options } from '../../flags/flag.js';
import { durationFlag } from '../../lib/durations.js';
import { usageError } from '../../lib/errors.js';
import { formatNumber } from '../../lib/text.js';
import { fitColumns } from '../../output/table.js';
import { withControl } from '../shared/running-emulator.js';

type TopOptions = Options<'interval'> & Options<'count', number>;

const INTERVAL_MS = 1_000;
const MIN_INTERVAL_MS = 100;

export async function run({ interval, count }: TopOptions, context: Context) {
  const intervalMs = interval === undefined ? INTERVAL_MS : durationFlag(interval, '--interval');
  if (intervalMs < MIN_INTERVAL_MS) throw usageError(`--interval must be at least ${MIN_INTERVAL_MS}ms.`);
  const { output } = context;
  const { mode, chosen, jq, quiet } = output.settings;
  const asText = jq === undefined && (mode === 'table' || !chosen);
  const sampling = { intervalMs, count: count ?? Number.POSITIVE_INFINITY };
  await withControl(context, async (control) => {
    const columns = fittingColumns(output.settings.width);
    if (asText && !quiet) output.text(columns.map(([title, width]) => title.padStart(width)).join('  '));
    for await (const sample of takeSamples(control, sampling, context.signal)) {
      if (asText) output.text(columns.map(([, width, text]) => text(sample).padStart(width)).join('  '));
      else await output.item(sample, { redaction: 'plain' });
    }
  });
}

async function* takeSamples(
  control: ControlClient,
  { intervalMs, count }: { intervalMs: number; count: number },
  signal: AbortSignal,
): AsyncGenerator<Sample, void, void> {
  const read = async (): Promise<Reading> => ({
    stats: await control.call('stats.get'),
    at: performance.now(),
  });
  let before = await read();
  for (let taken = 0; taken < count; taken++) {
    await sleep(Math.max(0, before.at + intervalMs - performance.now()), undefined, { signal });
    const after = await read();
    yield sampleOf(before, after);
    before = after;
  }
}

/** A reading of the counters and when it was taken, in milliseconds of the monotonic clock. */
export interface Reading {
  at: number;
  stats: Stats;
}

export function sampleOf(before: Reading, after: Reading) {
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
    // Latency that half, and 95 of 100 requests did not exceed; null without requests.
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

type Sample = ReturnType<typeof sampleOf>;

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];
const UNIT = 1_024;

function formatBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(UNIT)));
  const value = bytes / UNIT ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
}

const formatMs = (ms: number | null): string => (ms === null ? '–' : `${formatNumber(ms)} ms`);

const COLUMNS: readonly [string, number, (sample: Sample) => string][] = [
  ['TIME', 20, ({ time }) => time.replace(/\.\d+/, '')],
  ['REQ/S', 7, (sample) => formatNumber(sample.requests_per_second)],
  ['4XX/S', 6, (sample) => formatNumber(sample.client_errors_per_second)],
  ['5XX/S', 6, (sample) => formatNumber(sample.server_errors_per_second)],
  ['P50', 8, ({ p50_ms }) => formatMs(p50_ms)],
  ['P95', 8, ({ p95_ms }) => formatMs(p95_ms)],
  ['REACTORS', 8, ({ reactors: { running, queued } }) => `${running}+${queued}`],
  ['TOKENS', 9, ({ store }) => formatNumber(store.tokens)],
  ['DISK', 9, ({ store }) => (store.bytes === undefined ? '–' : formatBytes(store.bytes))],
  ['MEMORY', 9, ({ memory_bytes }) => formatBytes(memory_bytes)],
  ['LARGE', 9, ({ large_requests }) => formatBytes(large_requests.held_bytes)],
  ['MOST BY', 36, ({ large_requests: { holders } }) => holders[0]?.tenant_id ?? '–'],
];

function fittingColumns(available: number): typeof COLUMNS {
  const needs = COLUMNS.map(([, width]) => ({ natural: width, min: width, importance: 0 }));
  const widths = fitColumns(needs, available);
  return COLUMNS.filter((_, index) => widths[index] !== 0);
}
