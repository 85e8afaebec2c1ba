import type { SandboxLimits } from '../limits.js';
import type { Instance } from './instance.js';
import { InstanceQueue } from './instance-queue.js';
import type { InstanceRequest, Lease } from './leases.js';
import { Leases } from './leases.js';
import { Spares } from './spares.js';

/**
 * Pool of worker threads: running instances, idle warm instances, and spares. A guest never serves a second reactor or version;
 * its thread may, with a new guest.
 *
 * Every step down a chain of reactors raises the bounds by one. Chains therefore cannot deadlock: the instances that the outer
 * reactors hold were acquired under lower bounds than the one that the innermost reactor waits for.
 */
export class Pool {
  readonly #limits: SandboxLimits;
  readonly #leases: Leases;
  readonly #queue = new InstanceQueue();
  readonly #spares: Spares;
  #isClosed = false;
  /** Instances terminated because they were not reusable. */
  discarded = 0;

  /** @param start starts an instance; may throw if the system cannot create a thread */
  constructor(start: () => Instance, limits: SandboxLimits) {
    this.#limits = limits;
    this.#spares = new Spares(start, limits.retainedMemoryBytes);
    this.#leases = new Leases(limits, ({ instance }) => this.#spares.recycle(instance));
  }

  get running(): number {
    return this.#leases.running;
  }

  get idle(): number {
    return this.#leases.idle;
  }

  get queued(): number {
    return this.#queue.length;
  }

  /** Instances started since the pool was created. */
  get started(): number {
    return this.#spares.started;
  }

  get instances(): Instance[] {
    return [...this.#leases.instances, ...this.#spares.instances];
  }

  /**
   * Acquires an instance; waits if all are busy.
   * @returns why there is none: `signal` fired first, or too many invocations of the group are waiting
   * @throws Error if an instance cannot be started
   */
  async acquire(request: InstanceRequest, signal: AbortSignal): Promise<Lease | 'busy' | 'queue-full'> {
    let bytes: number | undefined;
    while (!signal.aborted && !this.#isClosed) {
      const lease = this.#tryAcquire(request);
      if (lease) {
        // Another waiting invocation may be admitted under a higher bound.
        this.#admitNext();
        return lease;
      }
      bytes ??= Buffer.byteLength(JSON.stringify(request.args ?? null));
      if (!this.#mayWait(request.group, bytes)) return 'queue-full';
      await this.#queue.wait(request, bytes, signal);
    }
    // This invocation may have been admitted after its signal fired; the turn passes to the next.
    this.#admitNext();
    return 'busy';
  }

  #mayWait(group: string, bytes: number): boolean {
    const waiting = this.#queue.sizeOf(group);
    const { queued, queuedBytes } = this.#limits;
    return waiting.length < queued && waiting.bytes + bytes <= queuedBytes;
  }

  /** Returns an instance to the pool, which keeps it warm if it is reusable. */
  release(lease: Lease, isReusable: boolean): void {
    const { instance, isRetired } = lease;
    const canKeep = !isRetired && !this.#isClosed && instance.isAlive;
    if (!isReusable) this.#discard(lease);
    else if (canKeep && instance.memoryBytes <= this.#limits.retainedMemoryBytes) this.#makeIdle(lease);
    else this.#drop(lease);
    this.#admitNext();
  }

  /** Drops the idle instances of a reactor now, and the running ones when they are released. */
  retire(reactorId: string): void {
    for (const lease of this.#leases.ofReactor(reactorId)) {
      lease.isRetired = true;
      if (this.#leases.isIdle(lease)) this.#drop(lease);
    }
  }

  /** Starts a spare if there is none, and waits until one is ready. Never rejects. */
  prepareSpare(): Promise<void> {
    return this.#spares.prepare();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const leased = this.#leases.instances;
    this.#leases.clear();
    this.#queue.admitAll();
    await Promise.all([this.#spares.close(), ...leased.map((instance) => instance.terminate())]);
  }

  #tryAcquire(request: InstanceRequest): Lease | undefined {
    if (this.#leases.countRunning(request) === Number.POSITIVE_INFINITY) return undefined;
    const warm = this.#leases.takeIdle(request);
    if (warm) return warm;
    if (this.#leases.size >= this.#limits.instances) this.#dropOldestIdle();
    return this.#leases.add(this.#spares.take(), request);
  }

  #makeIdle(lease: Lease): void {
    this.#leases.makeIdle(lease);
    if (this.#leases.idle > this.#limits.idleInstances) this.#dropOldestIdle();
  }

  #dropOldestIdle(): void {
    if (this.#leases.oldestIdle) this.#drop(this.#leases.oldestIdle);
  }

  /** Terminates a stuck or abused instance at once. */
  #discard(lease: Lease): void {
    this.discarded++;
    this.#leases.remove(lease);
    void lease.instance.terminate();
  }

  /** Removes a healthy instance from the reactor that it served. */
  #drop(lease: Lease): void {
    this.#leases.remove(lease);
    this.#spares.recycle(lease.instance);
  }

  #admitNext(): void {
    this.#queue.admitNext((request) => this.#leases.countRunning(request));
  }
}
