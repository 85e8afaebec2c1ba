import type { SandboxLimits } from '../limits.js';
import type { Instance } from './instance.js';

/** Instances that are kept for the next reactor version, besides the one that is started when none is left. */
export const MAX_SPARES = 2;

/** Instances without code: one ahead, and used ones with a new guest. Goal R2, median after an update: 100 → 9 ms. */
export class Spares {
  /** Oldest first. */
  readonly #instances = new Set<Instance>();
  #startTimer: NodeJS.Timeout | undefined;
  #isClosed = false;
  started = 0;

  /** @param start starts an instance; may throw if the system cannot create a thread */
  constructor(
    private readonly start: () => Instance,
    private readonly limits: SandboxLimits,
  ) {}

  get instances(): Instance[] {
    return [...this.#instances];
  }

  /** Returns an instance without code; the next one is started a little later. @throws Error if none can be started */
  take(tenantId: string): Instance {
    for (const instance of this.#instances) {
      if (instance.mayRun(tenantId)) continue;
      this.#instances.delete(instance);
      void instance.terminate();
    }
    const instance = this.#findBest() ?? this.#startInstance();
    instance.tenantId = tenantId;
    this.#instances.delete(instance);
    if (this.#instances.size < this.limits.standbys) this.#scheduleStart();
    return instance;
  }

  /** Starts an instance if there is none, and waits until one is ready. Never rejects. */
  async prepare(): Promise<void> {
    if (this.#isClosed) return;
    try {
      const instance = this.#findBest() ?? this.#startInstance();
      this.#instances.add(instance);
      await instance.ready;
    } catch {
      // The next invocation will fail to start an instance too, and report why.
    }
  }

  /** Takes back an instance in a good state. One that is not needed, or has grown, is terminated. */
  recycle(instance: Instance): void {
    const isSmall = instance.memoryBytes <= this.limits.retainedMemoryBytes;
    if (!this.#isClosed && instance.canRestart && isSmall && this.#instances.size < MAX_SPARES) {
      instance.restart();
      this.#instances.add(instance);
    } else void instance.terminate();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#startTimer);
    const all = this.instances;
    this.#instances.clear();
    await Promise.all(all.map((instance) => instance.terminate()));
  }

  #findBest(): Instance | undefined {
    for (const instance of this.#instances) if (!instance.isAlive) this.#instances.delete(instance);
    const all = this.instances;
    return all.find(({ isReady }) => isReady) ?? all[0];
  }

  #startInstance(): Instance {
    this.started++;
    return this.start();
  }

  #scheduleStart(): void {
    clearTimeout(this.#startTimer);
    this.#startTimer = setTimeout(() => void this.prepare(), this.limits.spareDelayMs);
    this.#startTimer.unref();
  }
}
