import type { Health } from '../../../src/contract/control/status.js';
import type { SandboxStats } from '../../sandbox/sandbox.js';
import type { Admission } from '../../services/admission.js';
import type { DeliveryCounters, RequestCounters, StoreCounters } from '../../services/counters.js';
import { counter, gauge, histogram, type Labels, type Metric } from './metric.js';

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
