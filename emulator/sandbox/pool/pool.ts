import type { SandboxLimits } from '../limits.js';
import type { Instance } from './instance.js';
import { InstanceQueue } from './instance-queue.js';

/** What an instance is wanted for. */
export interface InstanceRequest {
  reactorId: string;
  version: string;
  /** How many reactors above it in a chain hold an instance meanwhile. */
  depth: number;
}

/** An instance given to one invocation, with what it is bound to. */
export interface Lease {
  readonly instance: Instance;
  readonly reactorId: string;
  readonly version: string;
  /** True when the code has been loaded into it before. */
  warm: boolean;
  /** Set when the reactor was changed meanwhile: not to be used again. */
  retired: boolean;
  idleTimer?: NodeJS.Timeout | undefined;
}

const END_DELAY_MS = 20;
/** After a cold start the next spare is made this much later, so that the two do not share the processor. */
const SPARE_DELAY_MS = 30;

/**
 * Keeps worker threads: at most one warm idle set per reactor version, a spare that has everything but the code, and a bound
 * on all of them. An instance never serves a second reactor or version.
 *
 * Every step down a chain of reactors raises the bounds by one: whatever runs came in under a lower bound than what the
 * deepest of it waits for, so that chains never wait for one another.
 */
export class Pool {
  readonly #start: () => Instance;
  readonly #limits: SandboxLimits;
  readonly #leases = new Set<Lease>();
  /** In order of last use, oldest first. */
  readonly #idle = new Set<Lease>();
  readonly #queue = new InstanceQueue();
  readonly #ending = new Set<Instance>();
  #spare: Instance | undefined;
  #spareTimer: NodeJS.Timeout | undefined;
  #closed = false;
  started = 0;
  discarded = 0;

  constructor(start: () => Instance, limits: SandboxLimits) {
    this.#start = start;
    this.#limits = limits;
  }

  get running(): number {
    return this.#leases.size - this.#idle.size;
  }

  get idle(): number {
    return this.#idle.size;
  }

  get queued(): number {
    return this.#queue.length;
  }

  get instances(): Instance[] {
    const all = [...this.#leases].map((lease) => lease.instance);
    return this.#spare ? [...all, this.#spare] : all;
  }

  /** @returns undefined when `signal` fires first, or at once when too many wait. */
  async acquire(wanted: InstanceRequest, signal: AbortSignal): Promise<Lease | undefined> {
    while (!signal.aborted && !this.#closed) {
      const lease = this.#tryAcquire(wanted);
      if (lease) {
        // There may be room for another that waits under a higher bound.
        this.#admitNext();
        return lease;
      }
      if (this.#queue.length >= this.#limits.queued) return undefined;
      await this.#waitForTurn(wanted, signal);
    }
    // Let in, but too late to make use of it.
    this.#admitNext();
    return undefined;
  }

  /** Gives an instance back; it is kept warm when it may be used again. */
  release(lease: Lease, reusable: boolean): void {
    const keep = reusable && !lease.retired && !this.#closed && lease.instance.isAlive;
    if (keep && lease.instance.memoryBytes <= this.#limits.retainedMemoryBytes) this.#makeIdle(lease);
    else if (reusable) this.#drop(lease);
    else this.#discard(lease);
    this.#admitNext();
  }

  #admitNext(): void {
    this.#queue.next((entry) => this.#countRunning(entry))?.admit();
  }

  retire(reactorId: string): void {
    for (const lease of this.#leases) {
      if (lease.reactorId !== reactorId) continue;
      lease.retired = true;
      if (this.#idle.has(lease)) this.#drop(lease);
    }
  }

  /** Starts the spare now; without this the first invocation does. Never rejects. */
  async prepareSpare(): Promise<void> {
    if (this.#closed) return;
    try {
      if (!this.#spare?.isAlive) this.#spare = this.#startInstance();
      await this.#spare.ready;
    } catch {
      // Whatever keeps a thread from starting is told by the invocation that needs one.
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#spareTimer);
    const all = [...this.instances, ...this.#ending];
    for (const lease of this.#leases) clearTimeout(lease.idleTimer);
    this.#leases.clear();
    this.#idle.clear();
    for (let waiting = this.#queue.next(() => 0); waiting; waiting = this.#queue.next(() => 0))
      waiting.admit();
    this.#spare = undefined;
    await Promise.all(all.map((instance) => instance.end()));
  }

  #tryAcquire(wanted: InstanceRequest): Lease | undefined {
    const { reactorId, version } = wanted;
    for (const lease of this.#idle) {
      if (lease.reactorId !== reactorId || lease.version !== version) continue;
      if (lease.instance.isAlive) return this.#takeIdle(lease);
      this.#drop(lease);
    }
    if (this.#countRunning(wanted) === Number.POSITIVE_INFINITY) return undefined;
    if (this.#leases.size >= this.#limits.instances) this.#dropOldestIdle();
    const lease: Lease = { instance: this.#takeSpare(), reactorId, version, warm: false, retired: false };
    this.#leases.add(lease);
    return lease;
  }

  #countRunning({ reactorId, depth }: Pick<InstanceRequest, 'reactorId' | 'depth'>): number {
    if (this.running >= this.#limits.instances + depth) return Number.POSITIVE_INFINITY;
    let count = 0;
    for (const lease of this.#leases) {
      if (lease.reactorId === reactorId && !this.#idle.has(lease)) count++;
    }
    return count >= this.#limits.instancesPerReactor + depth ? Number.POSITIVE_INFINITY : count;
  }

  #takeIdle(lease: Lease): Lease {
    clearTimeout(lease.idleTimer);
    this.#idle.delete(lease);
    return lease;
  }

  #makeIdle(lease: Lease): void {
    lease.warm = true;
    this.#idle.add(lease);
    lease.idleTimer = setTimeout(() => this.#drop(lease), this.#limits.idleMs);
    lease.idleTimer.unref();
    if (this.#idle.size > this.#limits.idleInstances) this.#dropOldestIdle();
  }

  #dropOldestIdle(): void {
    const [oldest] = this.#idle;
    if (oldest) this.#drop(oldest);
  }

  /** What hangs or was abused ends now. */
  #discard(lease: Lease): void {
    this.discarded++;
    this.#leases.delete(lease);
    void lease.instance.end();
  }

  #drop(lease: Lease): void {
    clearTimeout(lease.idleTimer);
    this.#idle.delete(lease);
    this.#leases.delete(lease);
    this.#scheduleEnd(lease.instance);
  }

  /** Not at once, so that the end of a thread does not compete with the invocation that comes next. */
  #scheduleEnd(instance: Instance): void {
    this.#ending.add(instance);
    setTimeout(() => {
      this.#ending.delete(instance);
      void instance.end();
    }, END_DELAY_MS);
  }

  #takeSpare(): Instance {
    const spare = this.#spare?.isAlive ? this.#spare : this.#startInstance();
    this.#spare = undefined;
    clearTimeout(this.#spareTimer);
    this.#spareTimer = setTimeout(() => void this.prepareSpare(), SPARE_DELAY_MS);
    this.#spareTimer.unref();
    return spare;
  }

  #startInstance(): Instance {
    this.started++;
    return this.#start();
  }

  #waitForTurn({ reactorId, depth }: InstanceRequest, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const entry = { reactorId, depth, admit: done };
      const line = this.#queue;
      function done(): void {
        line.remove(entry);
        signal.removeEventListener('abort', done);
        resolve();
      }
      line.add(entry);
      signal.addEventListener('abort', done);
    });
  }
}
