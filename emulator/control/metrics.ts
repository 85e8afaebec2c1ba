import type { PrometheusContentType, Registry } from 'prom-client';
import type { Health } from '../../src/contract/control/status.js';
import { LATENCY_BOUNDS_MS } from '../../src/contract/control/vocabulary.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import type { Admission } from '../services/admission.js';
import type {
  DeliveryCounters,
  DurationHistogram,
  RequestCounters,
  StoreCounters,
} from '../services/counters.js';

interface MetricSources {
  health: Health;
  requests: RequestCounters;
  commits: StoreCounters;
  deliveries: DeliveryCounters;
  sandbox: ReturnType<Sandbox['stats']>;
  admission: Pick<Admission, 'capacity' | 'holders'>;
  /** Stored callbacks and webhook events, of all processes; undefined when the store is away. */
  pendingDeliveries: number | undefined;
}

type Labels = Readonly<Record<string, string | number>>;
type Sample<Value> = readonly [Labels, Value];

/** A figure that is not there now has no samples. */
type Figure = number | undefined | readonly Sample<number>[];

/** A metric without `tokenctl_` before its name. Histograms are of durations. */
type Row =
  | readonly ['counter' | 'gauge', name: string, help: string, Figure]
  | readonly ['histogram', name: string, help: string, readonly Sample<DurationHistogram>[]];

/** Lists all metrics of the emulator. None has data, names or ids of a tenant. */
function rowsOf(sources: MetricSources): Row[] {
  const { health, requests, commits, deliveries, sandbox, admission, pendingDeliveries } = sources;
  const { store, version } = health;
  const { holders } = admission;
  const operations = [...requests.operations];
  const statuses = operations.flatMap(([operation, { statuses }]) =>
    [...statuses].map(([status, count]) => [{ operation, status }, count] as const),
  );
  const latencies = operations.map(([operation, { latency }]) => [{ operation }, latency] as const);
  const attempts = Object.entries(deliveries.attempts).flatMap(([kind, outcomes]) =>
    Object.entries(outcomes).map(([outcome, count]) => [{ kind, outcome }, count] as const),
  );
  const responseSeconds = store.response_ms === undefined ? undefined : store.response_ms / 1_000;
  const held = holders.map(({ bytes }) => bytes);
  return [
    ['gauge', 'info', 'Version and kind of store; always 1.', [[{ version, store: store.kind }, 1]]],
    ['counter', 'requests_total', 'Requests of the service, by operation and status.', statuses],
    ['histogram', 'request_duration_seconds', 'Time from arrival to response, by operation.', latencies],
    ['gauge', 'store_up', '1 if the store can be read and written.', store.state === 'ok' ? 1 : 0],
    ['counter', 'store_commits_total', 'Commits, by outcome.', byOutcome(commits.commits)],
    ['histogram', 'store_commit_duration_seconds', 'Time of stored commits.', [[{}, commits.latency]]],
    ['gauge', 'store_free_bytes', 'Free bytes of the file system of the data directory.', store.free_bytes],
    ['gauge', 'store_response_seconds', 'Response time of the database to the probe.', responseSeconds],
    ['gauge', 'store_schema_version', 'The last migration of the database.', store.schema_version],
    ['gauge', 'store_known_schema_version', 'The last known migration.', store.known_schema_version],
    ['counter', 'reactor_invocations_total', 'Invocations of code, by outcome.', byOutcome(sandbox.outcomes)],
    ['gauge', 'reactor_invocations_running', 'Invocations that run.', sandbox.running],
    ['gauge', 'reactor_invocations_queued', 'Invocations that wait for an instance.', sandbox.queued],
    ['gauge', 'sandbox_workers', 'Worker threads of the sandbox.', sandbox.workers],
    ['gauge', 'sandbox_workers_idle', 'Warm worker threads that wait for an invocation.', sandbox.idle],
    ['gauge', 'sandbox_memory_bytes', 'Memory of all instances of the sandbox.', sandbox.memoryBytes],
    ['counter', 'sandbox_workers_started_total', 'Worker threads that were started.', sandbox.started],
    ['counter', 'sandbox_workers_discarded_total', 'Worker threads ended by failures.', sandbox.discarded],
    ['counter', 'delivery_attempts_total', 'Attempts to deliver, by kind and outcome.', attempts],
    ['gauge', 'deliveries_pending', 'Deliveries that the store holds.', pendingDeliveries ?? []],
    ['gauge', 'large_requests_capacity_bytes', 'What large requests may hold together.', admission.capacity],
    ['gauge', 'large_requests_held_bytes', 'What large requests hold.', sum(held)],
    ['gauge', 'large_requests_held_by_one_tenant_bytes', 'Most that a tenant holds.', Math.max(0, ...held)],
    ['gauge', 'large_requests_waiting', 'Those that wait.', sum(holders.map(({ waiting }) => waiting))],
  ];
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const byOutcome = (counts: Readonly<Record<string, number>>): Sample<number>[] =>
  Object.entries(counts).map(([outcome, count]) => [{ outcome }, count]);

/** The buckets of a histogram, in milliseconds: some of those that are counted. */
const BUCKETS_MS: readonly number[] = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 240_000,
];

/** A value of a metric, as prom-client represents it. */
type MetricValue = { labels: Labels; value: number; metricName?: string };

function histogramValues(name: string, [labels, { counts, sumMs }]: Sample<DurationHistogram>) {
  const values: MetricValue[] = [];
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

function valuesOf([type, name, , figure]: Row): MetricValue[] {
  if (type === 'histogram') return figure.flatMap((one) => histogramValues(`tokenctl_${name}`, one));
  const samples = typeof figure === 'number' ? [[{}, figure] as const] : (figure ?? []);
  return samples.map(([labels, value]) => ({ labels, value }));
}

let processMetrics: Registry | undefined;

/** Formats metrics as text, with those of the process. Loads prom-client with the first call, which is rare. */
export async function formatMetrics(sources: MetricSources): Promise<string> {
  const { AggregatorRegistry, collectDefaultMetrics, Registry } = await import('prom-client');
  if (!processMetrics) {
    processMetrics = new Registry();
    collectDefaultMetrics({ register: processMetrics });
  }
  const metrics = rowsOf(sources)
    .filter(([, , , figure]) => figure !== undefined)
    .map((row) => {
      const [type, name, help] = row;
      // Each value stands for itself.
      return { type, name: `tokenctl_${name}`, help, values: valuesOf(row), aggregator: 'first' };
    });
  // The type of this function lacks one level of its argument: a list of metrics per process.
  const own = AggregatorRegistry.aggregate<PrometheusContentType>([metrics]);
  return `${await own.metrics()}\n${await processMetrics.metrics()}`;
}
