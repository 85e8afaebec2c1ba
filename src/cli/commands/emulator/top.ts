import { setTimeout as sleep } from 'node:timers/promises';
import type { ControlClient } from '../../../client/control.js';
import type { Context } from '../../command.js';
import { durationFlag } from '../../lib/durations.js';
import { usageError } from '../../lib/errors.js';
import { Screen } from '../../output/screen.js';
import { loadStyle } from '../../output/style.js';
import { requireRunningState, withControl } from '../shared/running-emulator.js';
import { type Reading, type Sample, sampleOf } from './top/sample.js';
import { headingLine, renderTop, sampleLine } from './top/view.js';

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
export async function run({ interval, count }: TopOptions, context: Context): Promise<void> {
  const intervalMs = interval === undefined ? INTERVAL_MS : durationFlag(interval, '--interval');
  if (intervalMs < MIN_INTERVAL_MS) throw usageError(`--interval must be at least ${MIN_INTERVAL_MS}ms.`);
  if (count !== undefined && count < 1) throw usageError('--count must be at least 1.');
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
