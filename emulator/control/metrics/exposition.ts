import type { PrometheusContentType, Registry } from 'prom-client';
import type { Metric } from './metric.js';

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
