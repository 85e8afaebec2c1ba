import type { RequestEvent } from '../../src/contract/control/events.js';
import { LATENCY_BOUNDS_MS, type Stats } from '../../src/contract/control/stats.js';
import type { Events } from './events.js';

/** Counts the requests of the service since the start, by outcome and by latency. A reset leaves the counters as they are. */
export class RequestCounters {
  readonly #requests: Stats['requests'] = { total: 0, client_errors: 0, server_errors: 0 };
  readonly #latencies = new Array<number>(LATENCY_BOUNDS_MS.length + 1).fill(0);

  constructor(events: Pick<Events, 'subscribe'>) {
    events.subscribe((event) => {
      if (event.kind === 'request') this.#count(event);
    });
  }

  read(): Pick<Stats, 'requests' | 'latency'> {
    return {
      requests: { ...this.#requests },
      latency: { bounds_ms: [...LATENCY_BOUNDS_MS], counts: [...this.#latencies] },
    };
  }

  #count({ status, duration_ms }: RequestEvent): void {
    this.#requests.total += 1;
    if (status >= 500) this.#requests.server_errors += 1;
    else if (status >= 400) this.#requests.client_errors += 1;
    const bucket = LATENCY_BOUNDS_MS.findIndex((bound) => duration_ms <= bound);
    const index = bucket < 0 ? LATENCY_BOUNDS_MS.length : bucket;
    this.#latencies[index] = (this.#latencies[index] ?? 0) + 1;
  }
}
