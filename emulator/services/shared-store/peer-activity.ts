import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { EmulatorEvent } from '../../../src/contract/control/events.js';
import type { Stats } from '../../../src/contract/control/status.js';
import type { ReactorTrace } from '../../../src/contract/control/traces.js';
import type { Sandbox } from '../../sandbox/sandbox.js';
import type { SharedStore } from '../../store/store.js';
import type { RequestCounters } from '../counters.js';
import type { RequestRecords } from '../request-record/request-records.js';

const EXCHANGE_MS = 250;
/** Milliseconds after which a process publishes even without news, so that the others know that it runs. */
const HEARTBEAT_MS = 5_000;
/** Milliseconds of silence after which a process counts as ended. */
const SILENCE_MS = 15_000;
/** Events and traces that a message holds at most, the newest ones: the others keep no more. */
const MAX_EVENTS = 1_000;
const MAX_TRACES = 100;
/** Processes whose counters are kept after they have ended, so that sums do not fall. */
const KEPT_PROCESSES = 100;

type ProcessStats = Pick<Stats, 'requests' | 'latency' | 'reactors' | 'memory_bytes'>;

interface Message {
  process: string;
  events: EmulatorEvent[];
  traces: ReactorTrace[];
  stats: ProcessStats;
}

interface Peer {
  stats: ProcessStats;
  /** When its last message was read, by the clock of this process. */
  heardAt: number;
}

interface PeerActivityServices {
  records: Pick<RequestRecords, 'on' | 'adopt' | 'adoptInvocation'>;
  readStats(): ProcessStats;
}

/** Shares events, traces and counters among the processes of a store. One that is alone publishes its heartbeat only. */
export class PeerActivity {
  readonly #process = randomUUID();
  readonly #peers = new LRUCache<string, Peer>({ max: KEPT_PROCESSES });
  #events: EmulatorEvent[] = [];
  #traces: ReactorTrace[] = [];
  #publishedAt = Number.NEGATIVE_INFINITY;
  #publishedRequests = 0;
  #timer: NodeJS.Timeout | undefined;
  #exchanging: Promise<void> = Promise.resolve();

  constructor(
    private readonly shared: Pick<SharedStore, 'publish' | 'readPublished'>,
    private readonly services: PeerActivityServices,
  ) {
    services.records.on('ownEvent', (event) => this.#events.push(event));
    services.records.on('invocation', (trace) => this.#traces.push(trace));
  }

  start(): void {
    this.#timer = setTimeout(() => {
      // Without the database there is nothing to show.
      this.#exchanging = this.#exchange().catch(() => {});
      void this.#exchanging.then(() => this.#timer && this.start());
    }, EXCHANGE_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#exchanging;
  }

  /** The counters of the other processes. One that has ended uses no memory and runs no reactors. */
  stats(): ProcessStats[] {
    return [...this.#peers.values()].map(({ stats, heardAt }) =>
      isAlive(heardAt) ? stats : { ...stats, reactors: NO_REACTORS, memory_bytes: 0 },
    );
  }

  async #exchange(): Promise<void> {
    // Before anything that fails while the database is away.
    this.#events = this.#events.slice(-MAX_EVENTS);
    this.#traces = this.#traces.slice(-MAX_TRACES);
    const heardOfNew = await this.#read();
    const stats = this.services.readStats();
    const isAlone = ![...this.#peers.values()].some(({ heardAt }) => isAlive(heardAt));
    const hasNews =
      this.#events.length > 0 || this.#traces.length > 0 || stats.requests.total !== this.#publishedRequests;
    const isDue = performance.now() - this.#publishedAt > HEARTBEAT_MS;
    if (!heardOfNew && !isDue && (isAlone || !hasNews)) return;
    const message: Message = { process: this.#process, events: this.#events, traces: this.#traces, stats };
    this.#events = [];
    this.#traces = [];
    await this.shared.publish(message);
    this.#publishedAt = performance.now();
    this.#publishedRequests = stats.requests.total;
  }

  /** Reads what the others have published. Returns whether one of them is new. */
  async #read(): Promise<boolean> {
    const messages = (await this.shared.readPublished()) as Message[];
    let heardOfNew = false;
    for (const { process, events, traces, stats } of messages) {
      heardOfNew ||= !this.#peers.has(process);
      this.#peers.set(process, { stats, heardAt: performance.now() });
      for (const event of events) this.services.records.adopt(event);
      for (const trace of traces) this.services.records.adoptInvocation(trace);
    }
    return heardOfNew;
  }
}

const NO_REACTORS: Stats['reactors'] = { running: 0, queued: 0, idle: 0, memory_bytes: 0 };

const isAlive = (heardAt: number): boolean => performance.now() - heardAt < SILENCE_MS;

export function readStats(sandbox: Pick<Sandbox, 'stats'>, requests: Pick<RequestCounters, 'read'>) {
  const { running, queued, idle, memoryBytes } = sandbox.stats();
  return {
    ...requests.read(),
    reactors: { running, queued, idle, memory_bytes: memoryBytes },
    memory_bytes: process.memoryUsage.rss(),
  };
}

export function sumStats([first, ...others]: readonly [ProcessStats, ...ProcessStats[]]): ProcessStats {
  return others.reduce((sum, { requests, latency, reactors, memory_bytes }) => {
    const counts = sum.latency.counts.map((count, i) => count + (latency.counts[i] ?? 0));
    return {
      requests: addUp(sum.requests, requests),
      latency: { bounds_ms: sum.latency.bounds_ms, counts },
      reactors: addUp(sum.reactors, reactors),
      memory_bytes: sum.memory_bytes + memory_bytes,
    };
  }, first);
}

function addUp<Counts extends Record<string, number>>(one: Counts, other: Counts): Counts {
  const sums = Object.entries(one).map(([name, count]) => [name, count + (other[name] ?? 0)]);
  return Object.fromEntries(sums) as Counts;
}
