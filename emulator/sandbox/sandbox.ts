import type { Invocation, ReactorCode } from './invocation.js';
import type { SandboxLimits } from './limits.js';
import type { NetworkPolicy } from './network/policy.js';
import type { Outcome, Result } from './outcome.js';

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
  invoke(invocation: Invocation): Promise<Outcome>;
  /**
   * Loads the code and keeps the instance warm, without calling the function.
   * @returns undefined when there is a function to call; `load-error`, `threw`, … otherwise.
   */
  load(
    reactor: ReactorCode & { timeoutMs: number },
  ): Promise<Exclude<Result, { kind: 'returned' }> | undefined>;
  /** Ends the idle instances of a reactor, and the running ones when they are done. Call on update and delete. */
  retire(reactorId: string): void;
  stats(): SandboxStats;
  /** Cancels what runs and ends all workers. */
  close(): Promise<void>;
}
