import type { Json } from '../../../src/contract/json.js';
import type { SandboxLimits } from '../limits.js';
import type { Instance } from './instance.js';

type LeaseLimits = Pick<
  SandboxLimits,
  'idleMs' | 'instances' | 'instancesPerReactor' | 'instancesPerGroup' | 'backgroundInstances'
>;

/** The leased instances: running ones, and idle ones with loaded code. */
export class Leases {
  readonly #limits: LeaseLimits;
  readonly #onExpire: (lease: Lease) => void;
  readonly #all = new Set<Lease>();
  /** Ordered by last use, oldest first. */
  readonly #idle = new Set<Lease>();

  /** @param onExpire receives a lease that has been idle for `limits.idleMs`; it is removed already */
  constructor(limits: LeaseLimits, onExpire: (lease: Lease) => void) {
    this.#limits = limits;
    this.#onExpire = onExpire;
  }

  get size(): number {
    return this.#all.size;
  }

  get running(): number {
    return this.#all.size - this.#idle.size;
  }

  get idle(): number {
    return this.#idle.size;
  }

  get instances(): Instance[] {
    return [...this.#all].map(({ instance }) => instance);
  }

  get oldestIdle(): Lease | undefined {
    const [oldest] = this.#idle;
    return oldest;
  }

  /** Returns the leases of a reactor. */
  ofReactor(reactorId: string): Lease[] {
    return [...this.#all].filter((lease) => lease.reactorId === reactorId);
  }

  isIdle(lease: Lease): boolean {
    return this.#idle.has(lease);
  }

  add(instance: Instance, { reactorId, version, group, isBackground }: InstanceRequest): Lease {
    const lease: Lease = {
      ...{ instance, reactorId, version, group, isBackground },
      ...{ isWarm: false, isRetired: false },
    };
    this.#all.add(lease);
    return lease;
  }

  remove(lease: Lease): void {
    clearTimeout(lease.idleTimer);
    this.#idle.delete(lease);
    this.#all.delete(lease);
  }

  clear(): void {
    for (const lease of this.#all) this.remove(lease);
  }

  /** Keeps an instance for the next invocation of the same version. */
  makeIdle(lease: Lease): void {
    lease.isWarm = true;
    this.#idle.add(lease);
    const expire = () => {
      this.remove(lease);
      this.#onExpire(lease);
    };
    lease.idleTimer = setTimeout(expire, this.#limits.idleMs);
    lease.idleTimer.unref();
  }

  /** Returns an idle instance with the requested code. */
  takeIdle({ reactorId, version, isBackground }: InstanceRequest): Lease | undefined {
    for (const lease of this.#idle) {
      if (lease.reactorId !== reactorId || lease.version !== version) continue;
      if (!lease.instance.isAlive) {
        this.remove(lease);
        continue;
      }
      clearTimeout(lease.idleTimer);
      this.#idle.delete(lease);
      lease.isBackground = isBackground;
      return lease;
    }
    return undefined;
  }

  /** Returns the running instances of a reactor; Infinity if it, its group or all may not have another one now. */
  countRunning({ reactorId, depth, group, isBackground }: Omit<InstanceRequest, 'version' | 'args'>): number {
    const { instances, instancesPerGroup, backgroundInstances, instancesPerReactor } = this.#limits;
    const running = [...this.#all].filter((lease) => !this.#idle.has(lease));
    const ofGroup = running.filter((lease) => lease.group === group);
    const ofReactor = ofGroup.filter((lease) => lease.reactorId === reactorId).length;
    const isFull =
      running.length >= instances + depth ||
      ofGroup.length >= instancesPerGroup + depth ||
      (isBackground && ofGroup.filter((lease) => lease.isBackground).length >= backgroundInstances + depth) ||
      ofReactor >= instancesPerReactor + depth;
    return isFull ? Number.POSITIVE_INFINITY : ofReactor;
  }
}

/** What an instance is requested for. */
export interface InstanceRequest {
  reactorId: string;
  version: string;
  /** Number of reactors above this one in a chain, each of which holds an instance while it waits. */
  depth: number;
  /** Invocations of different groups take turns while they wait, and each has a share of the instances. */
  group: string;
  /** Whether nobody waits for the result. */
  isBackground: boolean;
  /** What the request keeps in memory while it waits. */
  args?: Json | undefined;
}

/** An instance bound to one version of one reactor. */
export interface Lease {
  readonly instance: Instance;
  readonly reactorId: string;
  readonly version: string;
  readonly group: string;
  isBackground: boolean;
  /** True if the code is already loaded. */
  isWarm: boolean;
  /** True if the reactor was changed while the instance was running; it is then not reused. */
  isRetired: boolean;
  idleTimer?: NodeJS.Timeout | undefined;
}
