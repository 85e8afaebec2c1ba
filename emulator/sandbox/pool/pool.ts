import type { SandboxLimits } from '../limits.js';
import type { Instance } from './instance.js';
import { InstanceQueue } from './instance-queue.js';

/** What an instance is requested for. */
export interface InstanceRequest {
  reactorId: string;
  version: string;
  /** Number of reactors above this one in a chain, each of which holds an instance while it waits. */
  depth: number;
}

/** An instance bound to one version of one reactor. */
export interface Lease {
  readonly instance: Instance;
  readonly reactorId: string;
  readonly version: string;
  /** True if the code is already loaded. */
  isWarm: boolean;
  /** True if the reactor was changed while the instance was running; it is then not reused. */
  isRetired: boolean;
  idleTimer?: NodeJS.Timeout | undefined;
}

/** Delay before an unused instance is terminated, so that ending its thread does not compete with the next invocation. */
const TERMINATE_DELAY_MS = 20;
/**
 * Delay before the next spare is started, so that its start does not compete with the invocation that took the last one.
 * Goal R2, nothing prepared: 160 → 125 ms.
 */
const SPARE_DELAY_MS = 30;

/**
 * Pool of worker threads: running instances, idle warm instances, and one spare with everything loaded but the code. An instance
 * never serves a second reactor or version.
 *
 * Every step down a chain of reactors raises the bounds by one. Chains therefore cannot deadlock: the instances that the outer
 * reactors hold were acquired under lower bounds than the one that the innermost reactor waits for.
 */
export class Pool {
  readonly #start: () => Instance;
  readonly #limits: SandboxLimits;
  readonly #leases = new Set<Lease>();
  /** Ordered by last use, oldest first. */
  readonly #idleLeases = new Set<Lease>();
  readonly #queue = new InstanceQueue();
  /** Instances whose termination is scheduled. */
  readonly #ending = new Set<Instance>();
  #spare: Instance | undefined;
  #spareTimer: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** Instances started since the pool was created. */
  started = 0;
  /** Instances terminated because they were not reusable. */
  discarded = 0;

  /** @param start starts an instance; may throw if the system cannot create a thread */
  constructor(start: () => Instance, limits: SandboxLimits) {
    this.#start = start;
    this.#limits = limits;
  }

  get running(): number {
    return this.#leases.size - this.#idleLeases.size;
  }

  get idle(): number {
    return this.#idleLeases.size;
  }

  get queued(): number {
    return this.#queue.length;
  }

  get instances(): Instance[] {
    const leased = [...this.#leases].map((lease) => lease.instance);
    return this.#spare ? [...leased, this.#spare] : leased;
  }

  /**
   * Acquires an instance; waits if all are busy.
   * @returns undefined if `signal` fires first or too many invocations are waiting
   * @throws Error if an instance cannot be started
   */
  async acquire(request: InstanceRequest, signal: AbortSignal): Promise<Lease | undefined> {
    while (!signal.aborted && !this.#isClosed) {
      const lease = this.#tryAcquire(request);
      if (lease) {
        // Another waiting invocation may be admitted under a higher bound.
        this.#admitNext();
        return lease;
      }
      if (this.#queue.length >= this.#limits.queued) return undefined;
      await this.#waitForTurn(request, signal);
    }
    // This invocation may have been admitted after its signal fired; the turn passes to the next.
    this.#admitNext();
    return undefined;
  }

  /** Returns an instance to the pool, which keeps it warm if it is reusable. */
  release(lease: Lease, isReusable: boolean): void {
    const canKeep = !lease.isRetired && !this.#isClosed && lease.instance.isAlive;
    if (!isReusable) this.#discard(lease);
    else if (canKeep && lease.instance.memoryBytes <= this.#limits.retainedMemoryBytes) this.#makeIdle(lease);
    else this.#drop(lease);
    this.#admitNext();
  }

  /** Drops the idle instances of a reactor now, and the running ones when they are released. */
  retire(reactorId: string): void {
    for (const lease of this.#leases) {
      if (lease.reactorId !== reactorId) continue;
      lease.isRetired = true;
      if (this.#idleLeases.has(lease)) this.#drop(lease);
    }
  }

  /** Starts the spare if there is none, and waits until it is ready. Never rejects. */
  async prepareSpare(): Promise<void> {
    if (this.#isClosed) return;
    try {
      if (!this.#spare?.isAlive) this.#spare = this.#startInstance();
      await this.#spare.ready;
    } catch {
      // The next invocation will fail to start an instance too, and report why.
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#spareTimer);
    const all = [...this.instances, ...this.#ending];
    for (const lease of this.#leases) clearTimeout(lease.idleTimer);
    this.#leases.clear();
    this.#idleLeases.clear();
    for (let entry = this.#queue.next(() => 0); entry; entry = this.#queue.next(() => 0)) entry.admit();
    this.#spare = undefined;
    await Promise.all(all.map((instance) => instance.terminate()));
  }

  #tryAcquire(request: InstanceRequest): Lease | undefined {
    const { reactorId, version } = request;
    for (const lease of this.#idleLeases) {
      if (lease.reactorId !== reactorId || lease.version !== version) continue;
      if (lease.instance.isAlive) return this.#takeIdle(lease);
      this.#drop(lease);
    }
    if (this.#countRunning(request) === Number.POSITIVE_INFINITY) return undefined;
    if (this.#leases.size >= this.#limits.instances) this.#dropOldestIdle();
    const lease: Lease = { instance: this.#takeSpare(), reactorId, version, isWarm: false, isRetired: false };
    this.#leases.add(lease);
    return lease;
  }

  /** Returns the running instances of a reactor; Infinity if it may not have another one now. */
  #countRunning({ reactorId, depth }: Pick<InstanceRequest, 'reactorId' | 'depth'>): number {
    if (this.running >= this.#limits.instances + depth) return Number.POSITIVE_INFINITY;
    let count = 0;
    for (const lease of this.#leases) {
      if (lease.reactorId === reactorId && !this.#idleLeases.has(lease)) count++;
    }
    return count >= this.#limits.instancesPerReactor + depth ? Number.POSITIVE_INFINITY : count;
  }

  #takeIdle(lease: Lease): Lease {
    clearTimeout(lease.idleTimer);
    this.#idleLeases.delete(lease);
    return lease;
  }

  #makeIdle(lease: Lease): void {
    lease.isWarm = true;
    this.#idleLeases.add(lease);
    lease.idleTimer = setTimeout(() => this.#drop(lease), this.#limits.idleMs);
    lease.idleTimer.unref();
    if (this.#idleLeases.size > this.#limits.idleInstances) this.#dropOldestIdle();
  }

  #dropOldestIdle(): void {
    const [oldest] = this.#idleLeases;
    if (oldest) this.#drop(oldest);
  }

  /** Terminates a stuck or abused instance at once. */
  #discard(lease: Lease): void {
    this.discarded++;
    this.#leases.delete(lease);
    void lease.instance.terminate();
  }

  /** Removes a healthy instance and schedules its termination. */
  #drop(lease: Lease): void {
    clearTimeout(lease.idleTimer);
    this.#idleLeases.delete(lease);
    this.#leases.delete(lease);
    this.#ending.add(lease.instance);
    setTimeout(() => {
      this.#ending.delete(lease.instance);
      void lease.instance.terminate();
    }, TERMINATE_DELAY_MS);
  }

  #takeSpare(): Instance {
    const instance = this.#spare?.isAlive ? this.#spare : this.#startInstance();
    this.#spare = undefined;
    clearTimeout(this.#spareTimer);
    this.#spareTimer = setTimeout(() => void this.prepareSpare(), SPARE_DELAY_MS);
    this.#spareTimer.unref();
    return instance;
  }

  #startInstance(): Instance {
    this.started++;
    return this.#start();
  }

  #admitNext(): void {
    this.#queue.next((entry) => this.#countRunning(entry))?.admit();
  }

  /** Resolves when the request is admitted or `signal` fires. */
  #waitForTurn({ reactorId, depth }: InstanceRequest, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const queue = this.#queue;
      const entry = { reactorId, depth, admit };
      function admit(): void {
        queue.remove(entry);
        signal.removeEventListener('abort', admit);
        resolve();
      }
      queue.add(entry);
      signal.addEventListener('abort', admit);
    });
  }
}
