import { setTimeout as sleep } from 'node:timers/promises';
import type { ControlClient } from '../../../client/control.js';
import type { Stats } from '../../../contract/control/status.js';
import type { Context } from '../../command.js';
import { durationFlag } from '../../lib/durations.js';
import { usageError } from '../../lib/errors.js';
import { Screen } from '../../output/screen.js';
import { loadStyle } from '../../output/style.js';
import { requireRunningState, withControl } from '../shared/running-emulator.js';
import { headingLine, renderTop, type Sample, sampleLine } from './top-view.js';

interface TopOptions {
  interval?: string | undefined;
  count?: number | undefined;
}

const INTERVAL_MS = 1_000;
const MIN_INTERVAL_MS = 100;
/** Samples that are kept: more than a terminal is wide. */
const KEPT = 1_000;

/**
 * Watches the load of the emulator of this directory: on a terminal live, until q or Ctrl-C; elsewhere as a line per interval.
 * The JSON modes print an object per line.
 */
export async function run({ interval, count }: TopOptions, context: Context) {
  const intervalMs = interval === undefined ? INTERVAL_MS : durationFlag(interval, '--interval');
  if (intervalMs < MIN_INTERVAL_MS) throw usageError(`--interval must be at least ${MIN_INTERVAL_MS}ms.`);
  const { output, settings } = context;
  const { mode, chosen, jq, quiet } = output.settings;
  const asText = jq === undefined && (mode === 'table' || !chosen);
  const isLive = asText && settings.terminal.stdout && !settings.ci && settings.env.TERM !== 'dumb';
  const sampling = { intervalMs, count: count ?? Number.POSITIVE_INFINITY };
  await withControl(context, async (control) => {
    if (isLive) return watch((signal) => takeSamples(control, sampling, signal), context);
    const samples = takeSamples(control, sampling, context.signal);
    if (asText && !quiet) output.text(headingLine());
    for await (const sample of samples) {
      if (asText) output.text(sampleLine(sample));
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

/** Shows the samples on the whole terminal until q is pressed. */
async function watch(take: (signal: AbortSignal) => AsyncIterable<Sample>, context: Context): Promise<void> {
  const [{ base_url: baseUrl }, style] = await Promise.all([
    requireRunningState(context),
    loadStyle(context.output.settings.color.stdout),
  ]);
  const samples: Sample[] = [];
  const quit = new AbortController();
  const onKey = (key: string) => key === 'q' && quit.abort();
  const draw = () => screen.draw((width, height) => renderTop({ baseUrl, samples }, style, width, height));
  const screen = new Screen(onKey, () => draw());
  try {
    draw();
    for await (const sample of take(AbortSignal.any([context.signal, quit.signal]))) {
      samples.push(sample);
      if (samples.length > KEPT) samples.shift();
      draw();
    }
  } catch (error) {
    if (!quit.signal.aborted) throw error;
  } finally {
    screen.close();
  }
}

/** A reading of the counters and when it was taken, in milliseconds of the monotonic clock. */
export interface Reading {
  at: number;
  stats: Stats;
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
