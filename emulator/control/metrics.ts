import type { PrometheusContentType, Registry } from 'prom-client';
import type { Health } from '../../src/contract/control/status.js';
import { LATENCY_BOUNDS_MS } from '../../src/contract/control/vocabulary.js';
import type { SandboxStats } from '../sandbox/sandbox.js';
import type { Admission } from '../services/admission.js';
import type {
  DeliveryCounters,
  DurationHistogram,
  RequestCounters,
  StoreCounters,
} from '../services/counters.js';

/** What metrics are read from. */
interface MetricSources {
  health: Health;
  requests: RequestCounters;
  commits: StoreCounters;
  deliveries: DeliveryCounters;
  sandbox: SandboxStats;
  admission: Pick<Admission, 'capacity' | 'holders'>;
  /** Stored callbacks and webhook events, of all processes; undefined when the store is away. */
  pendingDeliveries: number | undefined;
}

/** Reads all metrics of the emulator. None has data, names or ids of a tenant. */
export function collectMetrics(sources: MetricSources): Metric[] {
  return [
    ...requestMetrics(sources),
    ...storeMetrics(sources),
    ...reactorMetrics(sources),
    ...deliveryMetrics(sources),
    ...admissionMetrics(sources),
  ];
}

function requestMetrics({ health, requests }: MetricSources): Metric[] {
  const operations = [...requests.operations];
  return [
    gauge('tokenctl_info', 'Version and kind of store; always 1.', [
      [{ version: health.version, store: health.store.kind }, 1],
    ]),
    counter(
      'tokenctl_requests_total',
      'Requests of the service, by operation and status.',
      operations.flatMap(([operation, { statuses }]) =>
        [...statuses].map(([status, count]): [Labels, number] => [{ operation, status }, count]),
      ),
    ),
    histogram(
      'tokenctl_request_duration_seconds',
      'Time from the arrival of a request to its response, by operation.',
      operations.map(([operation, { latency }]) => [{ operation }, latency]),
    ),
  ];
}

function storeMetrics({ health: { store }, commits }: MetricSources): Metric[] {
  const figures: [name: string, help: string, value: number | undefined][] = [
    ['tokenctl_store_free_bytes', 'Free bytes of the file system of the data directory.', store.free_bytes],
    [
      'tokenctl_store_response_seconds',
      'Response time of the database to the probe of this scrape.',
      store.response_ms === undefined ? undefined : store.response_ms / 1_000,
    ],
    ['tokenctl_store_schema_version', 'The last migration of the database.', store.schema_version],
    [
      'tokenctl_store_known_schema_version',
      'The last migration that this version knows.',
      store.known_schema_version,
    ],
  ];
  return [
    gauge('tokenctl_store_up', '1 if the store can be read and written.', [
      [{}, store.state === 'ok' ? 1 : 0],
    ]),
    counter('tokenctl_store_commits_total', 'Commits, by outcome.', byLabel('outcome', commits.commits)),
    histogram('tokenctl_store_commit_duration_seconds', 'Time of a commit that was stored.', [
      [{}, commits.latency],
    ]),
    ...figures.flatMap(([name, help, value]) =>
      value === undefined ? [] : [gauge(name, help, [[{}, value]])],
    ),
  ];
}

function reactorMetrics({ sandbox }: MetricSources): Metric[] {
  const { workers, running, queued, idle, memoryBytes, started, discarded, outcomes } = sandbox;
  const single = (value: number): [Labels, number][] => [[{}, value]];
  return [
    counter(
      'tokenctl_reactor_invocations_total',
      'Invocations of reactors and of transforms of proxies, by outcome.',
      byLabel('outcome', outcomes),
    ),
    gauge('tokenctl_reactor_invocations_running', 'Invocations that run.', single(running)),
    gauge('tokenctl_reactor_invocations_queued', 'Invocations that wait for an instance.', single(queued)),
    gauge('tokenctl_sandbox_workers', 'Worker threads of the sandbox.', single(workers)),
    gauge('tokenctl_sandbox_workers_idle', 'Warm worker threads that wait for an invocation.', single(idle)),
    gauge('tokenctl_sandbox_memory_bytes', 'Memory of all instances of the sandbox.', single(memoryBytes)),
    counter('tokenctl_sandbox_workers_started_total', 'Worker threads that were started.', single(started)),
    counter(
      'tokenctl_sandbox_workers_discarded_total',
      'Worker threads that were ended after a timeout, out-of-memory or crash.',
      single(discarded),
    ),
  ];
}

function deliveryMetrics({ deliveries, pendingDeliveries }: MetricSources): Metric[] {
  const attempts = Object.entries(deliveries.attempts).flatMap(([kind, outcomes]) =>
    Object.entries(outcomes).map(([outcome, count]): [Labels, number] => [{ kind, outcome }, count]),
  );
  return [
    counter(
      'tokenctl_delivery_attempts_total',
      'Attempts to deliver callbacks and webhook events, by outcome.',
      attempts,
    ),
    gauge(
      'tokenctl_deliveries_pending',
      'Callbacks and webhook events that the store holds; the same in all processes of a database.',
      pendingDeliveries === undefined ? [] : [[{}, pendingDeliveries]],
    ),
  ];
}

function admissionMetrics({ admission: { capacity, holders } }: MetricSources): Metric[] {
  const most = Math.max(0, ...holders.map(({ bytes }) => bytes));
  const figures: [name: string, help: string, value: number][] = [
    ['capacity_bytes', 'What large requests may hold together.', capacity],
    ['held_bytes', 'What large requests hold.', holders.reduce((sum, { bytes }) => sum + bytes, 0)],
    ['held_by_one_tenant_bytes', 'What the tenant holds that holds most.', most],
    ['waiting', 'Large requests that wait.', holders.reduce((sum, { waiting }) => sum + waiting, 0)],
  ];
  return figures.map(([name, help, value]) => gauge(`tokenctl_large_requests_${name}`, help, [[{}, value]]));
}

function byLabel(label: string, counts: Readonly<Record<string, number>>): [Labels, number][] {
  return Object.entries(counts).map(([value, count]) => [{ [label]: value }, count]);
}

type Labels = Readonly<Record<string, string | number>>;

/** A metric with its values at one moment, as prom-client represents it. */
interface Metric {
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

function counter(name: string, help: string, values: [Labels, number][]): Metric {
  return metric('counter', name, help, values);
}

function gauge(name: string, help: string, values: [Labels, number][]): Metric {
  return metric('gauge', name, help, values);
}

/** Durations in seconds. */
function histogram(name: string, help: string, values: [Labels, DurationHistogram][]): Metric {
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
