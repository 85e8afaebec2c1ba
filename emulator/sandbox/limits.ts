import { LIMITS } from '../../src/contract/limits.js';

const MiB = 1024 * 1024;

/** What one invocation, one instance and the whole sandbox may use. */
export interface SandboxLimits {
  /** Memory of an instance, in bytes: everything the reactor's code can allocate. */
  memoryBytes: number;
  /** An instance that grew past this is not kept, so that its memory returns. Bytes. */
  retainedMemoryBytes: number;
  /** The result as JSON. Bytes of UTF-8; the payload limit of the specification. */
  outputBytes: number;
  /** `console` per invocation: number of entries, and characters of one entry. */
  consoleEntries: number;
  consoleEntryLength: number;
  /** The body of one outbound request or of its answer. Bytes. */
  fetchBodyBytes: number;
  /** Outbound requests of one invocation: at the same time, and in all. */
  concurrentFetches: number;
  fetches: number;
  /** Calls of `svc` of one invocation: at the same time (others wait), and waiting. */
  concurrentSvcCalls: number;
  pendingSvcCalls: number;
  /** Timers of one invocation that are set at the same time. */
  timers: number;
  /** Instances that run or are kept, and how many of them one reactor may occupy; in a chain, one more for each step. */
  instances: number;
  instancesPerReactor: number;
  /** Instances kept warm while idle, and for how long. */
  idleInstances: number;
  idleMs: number;
  /** Invocations that wait for an instance. */
  queued: number;
  /** Reactors above one another in a chain of `svc.reactors.react`. */
  depth: number;
  /** After the deadline a worker has this long to answer for itself before it is terminated. */
  graceMs: number;
}

export const DEFAULT_LIMITS: Readonly<SandboxLimits> = {
  memoryBytes: 128 * MiB,
  retainedMemoryBytes: 48 * MiB,
  outputBytes: LIMITS.bodyBytes,
  consoleEntries: 1_000,
  consoleEntryLength: 8_192,
  fetchBodyBytes: 5 * MiB,
  concurrentFetches: 10,
  fetches: 1_000,
  concurrentSvcCalls: 8,
  pendingSvcCalls: 1_000,
  timers: 1_000,
  instances: 16,
  instancesPerReactor: 8,
  idleInstances: 8,
  idleMs: 300_000,
  queued: 1_000,
  depth: 4,
  graceMs: 250,
};
