import { LIMITS } from '../../src/contract/limits.js';

const MiB = 1024 * 1024;

/** Limits of one invocation, of one instance and of the whole sandbox. */
export interface SandboxLimits {
  /** Memory of an instance: everything that reactor code can allocate. Bytes. */
  memoryBytes: number;
  /** An instance that uses more memory is terminated after its invocation instead of being reused. Bytes. */
  retainedMemoryBytes: number;
  /** The result as JSON, the payload limit of the specification. Bytes of UTF-8. */
  outputBytes: number;
  /** `console` entries per invocation, and characters per entry. */
  consoleEntries: number;
  consoleEntryLength: number;
  /** Body of an outbound request, and of its response. Bytes. */
  fetchBodyBytes: number;
  /** Outbound requests per invocation: in flight at a time, and in total. */
  concurrentFetches: number;
  fetches: number;
  /** Calls of `svc` per invocation: in flight at a time, and waiting. */
  concurrentSvcCalls: number;
  pendingSvcCalls: number;
  /** Active timers per invocation. */
  timers: number;
  /** Instances in total, and running instances per reactor. Both grow by one for each step down a chain of reactors. */
  instances: number;
  instancesPerReactor: number;
  /** Idle instances that are kept warm, and for how long. */
  idleInstances: number;
  idleMs: number;
  /** Invocations waiting for an instance. */
  queued: number;
  /** Reactors above the innermost one in a chain of `svc.reactors.react`. */
  depth: number;
  /** Time after the deadline for a worker to report its timeout, before it is terminated. */
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
