import { FairQueue } from '../../lib/fair-queue.js';
import type { SandboxLimits } from '../limits.js';
import type { Instance } from './instance.js';
import { Spares } from './spares.js';

interface InstanceRequest {
  reactorId: string;
  version: string;
  /** Number of reactors above this one in a chain, each of which holds an instance while it waits. */
  depth: number;
  /** Each tenant has a share of the instances. */
  tenantId: string;
  /** Whether nobody waits for the result. */
  isBackground: boolean;
}

/** An instance bound to one version of one reactor: running, or idle with loaded code. */
export interface Lease extends Omit<InstanceRequest, 'depth'> {
  readonly instance: Instance;
  /** True if the code is already loaded. */
  isWarm: boolean;
  /** True if the reactor was changed while the instance was running; it is then not reused. */
  isRetired: boolean;
  idleTimer?: NodeJS.Timeout | undefined;
}

/**
 * Pool of worker threads: running instances, idle warm instances, and spares. A guest never serves a second reactor or version;
 * its thread may, with a new guest.
 *
 * Every step down a chain of reactors raises the bounds by one. Chains therefore cannot deadlock: the instances that the outer
 * reactors hold were acquired under lower bounds than the one that the innermost reactor waits for.
 */
export class Pool {
  readonly #leases = new Set<Lease>();
  /** Ordered by last use, oldest first. */
  readonly #idle = new Set<Lease>();
  readonly #queue = new FairQueue<InstanceRequest>();
  readonly #spares: Spares;
  #isClosed = false;
  /** Instances terminated because they were not reusable. */
  #discarded = 0;

  /** @param start starts an instance; may throw if the system cannot create a thread */
  constructor(
    start: () => Instance,
    private readonly limits: SandboxLimits,
  ) {
    this.#spares = new Spares(start, limits);
  }

  /** Counts live threads, with spares, and their memory as last reported, in bytes; those started and discarded since the start. */
  stats() {
    const instances = [...this.#leased, ...this.#spares.instances];
    return {
      workers: instances.length,
      running: this.#leases.size - this.#idle.size,
      idle: this.#idle.size,
      queued: this.#queue.requests.length,
      memoryBytes: instances.reduce((sum, instance) => sum + instance.memoryBytes, 0),
      started: this.#spares.started,
      discarded: this.#discarded,
    };
  }

  get #leased(): Instance[] {
    return [...this.#leases].map(({ instance }) => instance);
  }

  /** Acquires an instance; waits if all are busy. @returns `busy` when `signal` fired first */
  async acquire(request: InstanceRequest, signal: AbortSignal): Promise<Lease | 'busy'> {
    while (!signal.aborted && !this.#isClosed) {
      const lease = this.#tryAcquire(request);
      if (lease) {
        // Another waiting invocation may be admitted under a higher bound.
        this.#admitNext();
        return lease;
      }
      await this.#queue.wait(request, signal);
    }
    // This invocation may have been admitted after its signal fired; the turn passes to the next.
    this.#admitNext();
    return 'busy';
  }

  /** Returns an instance to the pool, which keeps it warm if it is reusable. */
  release(lease: Lease, isReusable: boolean): void {
    const { instance, isRetired } = lease;
    const canKeep = !isRetired && !this.#isClosed && instance.isAlive;
    if (!isReusable) this.#discard(lease);
    else if (canKeep && instance.memoryBytes <= this.limits.retainedMemoryBytes) this.#makeIdle(lease);
    else this.#drop(lease);
    this.#admitNext();
  }

  /** Drops the idle instances of a reactor now, and the running ones when they are released. */
  retire(reactorId: string): void {
    for (const lease of this.#leases) {
      if (lease.reactorId !== reactorId) continue;
      lease.isRetired = true;
      if (this.#idle.has(lease)) this.#drop(lease);
    }
  }

  /** Starts a spare if there is none, and waits until one is ready. Never rejects. */
  prepareSpare(): Promise<void> {
    return this.#spares.prepare();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const leased = this.#leased;
    for (const lease of this.#leases) this.#remove(lease);
    this.#queue.endAll();
    await Promise.all([this.#spares.close(), ...leased.map((instance) => instance.terminate())]);
  }

  #tryAcquire(request: InstanceRequest): Lease | undefined {
    if (this.#countRunning(request) === Number.POSITIVE_INFINITY) return undefined;
    const warm = this.#takeIdle(request);
    if (warm) return warm;
    if (this.#leases.size >= this.limits.instances) this.#dropOldestIdle();
    const { reactorId, version, tenantId, isBackground } = request;
    const instance = this.#spares.take(tenantId);
    const lease = { instance, reactorId, version, tenantId, isBackground, isWarm: false, isRetired: false };
    this.#leases.add(lease);
    return lease;
  }

  #takeIdle({ reactorId, version, isBackground }: InstanceRequest): Lease | undefined {
    for (const lease of this.#idle) {
      if (lease.reactorId !== reactorId || lease.version !== version) continue;
      if (!lease.instance.isAlive) {
        this.#remove(lease);
        continue;
      }
      clearTimeout(lease.idleTimer);
      this.#idle.delete(lease);
      lease.isBackground = isBackground;
      return lease;
    }
    return undefined;
  }

  /** Returns the running instances of a reactor; Infinity if it, its tenant or all may not have another one now. */
  #countRunning({ reactorId, depth, tenantId, isBackground }: InstanceRequest): number {
    const { instances, tenantShare, backgroundShare, instancesPerReactor } = this.limits;
    const running = [...this.#leases].filter((lease) => !this.#idle.has(lease));
    const ofTenant = running.filter((lease) => lease.tenantId === tenantId);
    const inBackground = ofTenant.filter((lease) => lease.isBackground).length;
    const ofReactor = ofTenant.filter((lease) => lease.reactorId === reactorId).length;
    const isFull =
      running.length >= instances + depth ||
      ofTenant.length >= Math.ceil(instances * tenantShare) + depth ||
      (isBackground && inBackground >= Math.ceil(instances * backgroundShare) + depth) ||
      ofReactor >= instancesPerReactor + depth;
    return isFull ? Number.POSITIVE_INFINITY : ofReactor;
  }

  /** Keeps an instance for the next invocation of the same version. */
  #makeIdle(lease: Lease): void {
    lease.isWarm = true;
    this.#idle.add(lease);
    lease.idleTimer = setTimeout(() => this.#drop(lease), this.limits.idleMs);
    lease.idleTimer.unref();
    while (memoryOf(this.#idle) > this.limits.idleBytes) this.#dropOldestIdle();
  }

  #dropOldestIdle(): void {
    const [oldest] = this.#idle;
    if (oldest) this.#drop(oldest);
  }

  #remove(lease: Lease): void {
    clearTimeout(lease.idleTimer);
    this.#idle.delete(lease);
    this.#leases.delete(lease);
  }

  /** Terminates a stuck or abused instance at once. */
  #discard(lease: Lease): void {
    this.#discarded++;
    this.#remove(lease);
    void lease.instance.terminate();
  }

  /** Removes a healthy instance from the reactor that it served. */
  #drop(lease: Lease): void {
    this.#remove(lease);
    this.#spares.recycle(lease.instance);
  }

  #admitNext(): void {
    this.#queue.admitNext((request) => this.#countRunning(request));
  }
}

const memoryOf = (leases: Iterable<Lease>): number =>
  [...leases].reduce((sum, { instance }) => sum + instance.memoryBytes, 0);
