import type { PrometheusContentType, Registry } from 'prom-client';
import { LATENCY_BOUNDS_MS } from '../../../src/contract/control/vocabulary.js';
import type { DurationHistogram } from '../../services/counters.js';

export type Labels = Readonly<Record<string, string | number>>;

/** A metric with its values at one moment, as prom-client represents it. */
export interface Metric {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  values: { labels: Labels; value: number; metricName?: string }[];
  /** Each value stands for itself. */
  aggregator: 'first';
}

/** The buckets of a histogram, in milliseconds: some of those that are counted. */
const BUCKETS_MS: readonly number[] = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 240_000,
];

export function counter(name: string, help: string, values: [Labels, number][]): Metric {
  return metric('counter', name, help, values);
}

export function gauge(name: string, help: string, values: [Labels, number][]): Metric {
  return metric('gauge', name, help, values);
}

/** Durations in seconds. */
export function histogram(name: string, help: string, values: [Labels, DurationHistogram][]): Metric {
  return {
    ...metric('histogram', name, help, []),
    values: values.flatMap(([labels, durations]) => histogramValues(name, labels, durations)),
  };
}

function metric(type: Metric['type'], name: string, help: string, values: [Labels, number][]): Metric {
  return {
    name,
    help,
    type,
    values: values.map(([labels, value]) => ({ labels, value })),
    aggregator: 'first',
  };
}

function histogramValues(name: string, labels: Labels, { counts, sumMs }: DurationHistogram) {
  const values: Metric['values'] = [];
  let total = 0;
  for (const [i, count] of counts.entries()) {
    total += count;
    const bound = LATENCY_BOUNDS_MS[i];
    if (bound !== undefined && BUCKETS_MS.includes(bound))
      values.push({ metricName: `${name}_bucket`, labels: { ...labels, le: bound / 1_000 }, value: total });
  }
  values.push({ metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: total });
  values.push({ metricName: `${name}_sum`, labels, value: sumMs / 1_000 });
  values.push({ metricName: `${name}_count`, labels, value: total });
  return values;
}

let processMetrics: Registry | undefined;

/**
 * Formats metrics as text, together with those of the process: memory, processor time, event-loop delay, garbage collection.
 * Loads prom-client and starts measuring the process on the first call, which most emulators never get.
 */
export async function formatMetrics(metrics: readonly Metric[]): Promise<string> {
  const { AggregatorRegistry, collectDefaultMetrics, Registry } = await import('prom-client');
  if (!processMetrics) {
    processMetrics = new Registry();
    collectDefaultMetrics({ register: processMetrics });
  }
  // The type of this function lacks one level of its argument: a list of metrics per process.
  const own = AggregatorRegistry.aggregate<PrometheusContentType>([metrics]);
  return `${await own.metrics()}\n${await processMetrics.metrics()}`;
}
