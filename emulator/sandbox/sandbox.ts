import type { Invocation, LoadRequest } from './invocation.js';
import { DEFAULT_LIMITS, type SandboxLimits } from './limits.js';
import type { NetworkPolicy } from './network/policy.js';
import type { InvocationOutcome, ReactorResult } from './outcome.js';
import { loadEngine } from './pool/built-files.js';
import { Instance } from './pool/instance.js';
import { Pool } from './pool/pool.js';
import { Runner } from './pool/runner.js';

export interface SandboxOptions {
  /**
   * `quickjs`: an isolated engine for any code. `node`: a Node.js worker thread for trusted code that needs packages built
   * on Node.js. It is not a security boundary.
   */
  runtime: 'quickjs' | 'node';
  /** Runtime `node` only: absolute path of the folder whose node_modules `require` searches. */
  modulesDir?: string;
  /** Source of `Date` in reactor code, in milliseconds since the epoch. Deadlines use the machine's clock. */
  clock?: { now(): number };
  network: NetworkPolicy;
  limits?: Partial<SandboxLimits>;
  logger?: { warn(message: string): void };
}

/** Counters for tests and benchmarks. */
export interface SandboxStats {
  /** Live worker threads, including the spare. */
  workers: number;
  running: number;
  idle: number;
  queued: number;
  /** Sum of the memory that each instance last reported. Bytes. */
  memoryBytes: number;
  /** Since the start: workers started, and workers terminated after a timeout, out-of-memory or crash. */
  started: number;
  discarded: number;
}

/** Runs reactor code. Failures of the code never reject; they are part of the outcome. */
export interface Sandbox {
  /** Runs one invocation. Resolves within `timeoutMs` + `limits.graceMs`. */
  invoke(invocation: Invocation): Promise<InvocationOutcome>;
  /**
   * Loads the code without calling its function, and keeps the instance warm.
   * @returns undefined if there is a function to call, otherwise the failure
   */
  load(reactor: LoadRequest): Promise<Exclude<ReactorResult, { kind: 'returned' }> | undefined>;
  /** Terminates the idle instances of a reactor, and the running ones when they are done. Call on update and delete. */
  retire(reactorId: string): void;
  /** Starts the spare instance, so that the first invocation need not wait for one. Resolves when it is ready. */
  warm(): Promise<void>;
  stats(): SandboxStats;
  /** Cancels all invocations and terminates all workers. Resolves within `limits.terminateMs`. */
  close(): Promise<void>;
}

/** Creates a sandbox. It starts workers on demand, or when `warm()` is called. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { runtime, network, modulesDir } = options;
  const warn = (message: string) => options.logger?.warn(message);
  const startInstance = () => {
    const modules = modulesDir === undefined ? {} : { modulesDir };
    const engine = runtime === 'quickjs' ? loadEngine() : undefined;
    return new Instance({ runtime, network, limits, ...modules }, engine, warn);
  };
  const pool = new Pool(startInstance, limits);
  const runner = new Runner(pool, limits, options.clock ?? Date, warn);
  return {
    invoke: (invocation) => runner.invoke(invocation),
    load: (reactor) => runner.load(reactor),
    retire: (reactorId) => pool.retire(reactorId),
    warm: () => pool.prepareSpare(),
    stats: () => readStats(pool),
    close: () => runner.close(),
  };
}

function readStats(pool: Pool): SandboxStats {
  const { instances, running, idle, queued, started, discarded } = pool;
  const memoryBytes = instances.reduce((sum, instance) => sum + instance.memoryBytes, 0);
  return { workers: instances.length, running, idle, queued, memoryBytes, started, discarded };
}
