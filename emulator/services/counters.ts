import type { RequestEvent } from '../../src/contract/control/events.js';
import type { Stats } from '../../src/contract/control/status.js';
import { LATENCY_BOUNDS_MS } from '../../src/contract/control/vocabulary.js';
import { PROXY_PATH } from '../../src/contract/proxies.js';
import { ConflictError, StorageFullError, StoreUnavailableError } from '../store/errors.js';
import type { RequestRecords } from './request-record/request-records.js';
import { retryDelayMs } from './webhooks/delivery-record.js';

export class DurationHistogram {
  /** By bucket, not cumulative; the last one holds what took longer than every bound. */
  readonly counts = new Array<number>(LATENCY_BOUNDS_MS.length + 1).fill(0);
  sumMs = 0;

  add(durationMs: number): void {
    const bucket = LATENCY_BOUNDS_MS.findIndex((bound) => durationMs <= bound);
    const index = bucket < 0 ? LATENCY_BOUNDS_MS.length : bucket;
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.sumMs += durationMs;
  }
}

type OperationCounters = { statuses: Map<number, number>; latency: DurationHistogram };

/** Counts the requests of the service since the start, by operation, status and latency. A reset leaves the counters as they are. */
export class RequestCounters {
  readonly #operations = new Map<string, OperationCounters>();

  constructor(records: Pick<RequestRecords, 'on'>) {
    records.on('ownEvent', (event) => {
      if (event.kind === 'request') this.#count(event);
    });
  }

  /** By operation; `proxy` for requests through a proxy, `none` for a path that is not that of an operation. */
  get operations(): ReadonlyMap<string, OperationCounters> {
    return this.#operations;
  }

  read(): Pick<Stats, 'requests' | 'latency'> {
    const requests = { total: 0, client_errors: 0, server_errors: 0 };
    const counts = new Array<number>(LATENCY_BOUNDS_MS.length + 1).fill(0);
    for (const { statuses, latency } of this.#operations.values()) {
      for (const [status, count] of statuses) {
        requests.total += count;
        if (status >= 500) requests.server_errors += count;
        else if (status >= 400) requests.client_errors += count;
      }
      for (const [i, count] of latency.counts.entries()) counts[i] = (counts[i] ?? 0) + count;
    }
    return { requests, latency: { bounds_ms: [...LATENCY_BOUNDS_MS], counts } };
  }

  #count(event: RequestEvent): void {
    const { statuses, latency } = this.#countersOf(nameOf(event));
    statuses.set(event.status, (statuses.get(event.status) ?? 0) + 1);
    latency.add(event.duration_ms);
  }

  #countersOf(operation: string): OperationCounters {
    const known = this.#operations.get(operation);
    if (known) return known;
    const counters = { statuses: new Map<number, number>(), latency: new DurationHistogram() };
    this.#operations.set(operation, counters);
    return counters;
  }
}

function nameOf({ operation, path }: RequestEvent): string {
  if (operation !== undefined) return operation;
  return path === PROXY_PATH || path.startsWith(`${PROXY_PATH}/`) ? 'proxy' : 'none';
}

/** Counts the attempts of this process to deliver callbacks and webhook events since the start, by how they ended. */
export class DeliveryCounters {
  readonly attempts = {
    callback: { delivered: 0, retried: 0, given_up: 0 },
    webhook: { delivered: 0, retried: 0, given_up: 0 },
  };

  constructor(records: Pick<RequestRecords, 'on'>) {
    records.on('ownEvent', (event) => {
      if (event.kind !== 'callback' && event.kind !== 'webhook') return;
      const undelivered = retryDelayMs(event.attempt) === undefined ? 'given_up' : 'retried';
      this.attempts[event.kind][event.delivered ? 'delivered' : undelivered] += 1;
    });
  }
}

/** Counts the commits of this process since the start. */
export class StoreCounters {
  readonly commits = { stored: 0, conflict: 0, full: 0, unavailable: 0, failed: 0 };
  /** How long the stored ones took, the wait for earlier ones included. */
  readonly latency = new DurationHistogram();

  async count(commit: () => Promise<void>): Promise<void> {
    const startedAt = performance.now();
    try {
      await commit();
    } catch (error) {
      this.commits[commitOutcome(error)] += 1;
      throw error;
    }
    this.commits.stored += 1;
    this.latency.add(performance.now() - startedAt);
  }
}

function commitOutcome(error: unknown): keyof StoreCounters['commits'] {
  if (error instanceof ConflictError) return 'conflict';
  if (error instanceof StorageFullError) return 'full';
  return error instanceof StoreUnavailableError ? 'unavailable' : 'failed';
}
