import type { Invocation, LoadRequest } from './invocation.js';
import { DEFAULT_LIMITS, type SandboxLimits } from './limits.js';
import type { NetworkPolicy } from './network/policy.js';
import type { InvocationOutcome, ReactorResult } from './outcome.js';
import { Instance } from './pool/instance.js';
import { Pool } from './pool/pool.js';
import { Runner } from './pool/runner.js';
import { compiledEngine } from './pool/worker-script.js';

export interface SandboxOptions {
  /**
   * `quickjs`: for any code. `node`: for trusted code that needs packages built on Node.js; a worker thread, no security boundary.
   */
  runtime: 'quickjs' | 'node';
  /** Runtime `node`: the folder whose node_modules the code's `require` sees; an absolute path. */
  modulesDir?: string;
  /** What `Date` shows to reactor code, in milliseconds since the epoch. Deadlines use the machine's clock. */
  clock?: { now(): number };
  network: NetworkPolicy;
  limits?: Partial<SandboxLimits>;
  logger?: { warn(message: string): void };
}

/** For tests, benchmarks and the dashboard. */
export interface SandboxStats {
  /** Worker threads alive, the spare included. */
  workers: number;
  running: number;
  idle: number;
  queued: number;
  /** Memory of all instances as they last reported it. Bytes. */
  memoryBytes: number;
  /** Since the start: workers started, and workers thrown away after a timeout, out of memory or a crash. */
  started: number;
  discarded: number;
}

/** Runs reactor code. Never rejects for what the code does: everything ends in an `Outcome`. */
export interface Sandbox {
  /** Runs one invocation; ends at most `timeoutMs` + `limits.graceMs` later. */
  invoke(invocation: Invocation): Promise<InvocationOutcome>;
  /**
   * Loads the code and keeps the instance warm, without calling the function.
   * @returns undefined when there is a function to call; `load-error`, `threw`, … otherwise.
   */
  load(reactor: LoadRequest): Promise<Exclude<ReactorResult, { kind: 'returned' }> | undefined>;
  /** Ends the idle instances of a reactor, and the running ones when they are done. Call on update and delete. */
  retire(reactorId: string): void;
  /** Starts the spare instance, so that the first invocation finds one; resolves when it is there. */
  warm(): Promise<void>;
  stats(): SandboxStats;
  /** Cancels what runs and ends all workers. */
  close(): Promise<void>;
}

/** Workers are started when they are needed, or by `warm()`. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { runtime, network, modulesDir } = options;
  const warn = (message: string) => options.logger?.warn(message);
  const start = () => {
    const engine = runtime === 'quickjs' ? { wasmModule: compiledEngine() } : {};
    const modules = modulesDir === undefined ? {} : { modulesDir };
    return new Instance({ runtime, network, limits, ...modules, ...engine }, warn);
  };
  const pool = new Pool(start, limits);
  const runner = new Runner(pool, limits, options.clock ?? Date, warn);
  return {
    invoke: (invocation) => runner.invoke(invocation),
    load: (reactor) => runner.load(reactor),
    retire: (reactorId) => pool.retire(reactorId),
    warm: () => pool.prepareSpare(),
    stats: () => statsOf(pool),
    close: () => runner.close(),
  };
}

function statsOf(pool: Pool): SandboxStats {
  const { instances, running, idle, queued, started, discarded } = pool;
  const memoryBytes = instances.reduce((sum, instance) => sum + instance.memoryBytes, 0);
  return { workers: instances.length, running, idle, queued, memoryBytes, started, discarded };
}
