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
  /** `console` entries per invocation, characters per entry, and characters of all entries. */
  consoleEntries: number;
  consoleEntryLength: number;
  consoleLength: number;
  /** Body of an outbound request, and of its response. Bytes. */
  fetchBodyBytes: number;
  /** Head of an outbound request: characters of method and URL, number of headers, characters of all headers. */
  fetchMethodLength: number;
  fetchUrlLength: number;
  fetchHeaders: number;
  fetchHeadersLength: number;
  /** Characters of a header's name, in reports and in responses that a reactor makes up. Longer ones are dropped. */
  headerNameLength: number;
  /** Reports of outbound requests: characters of each text (URL, header, body, error), and of all reports per invocation. */
  reportedTextLength: number;
  /** Bytes of a request's body that are reported besides its preview, to search it as a whole; of all reports, ten times as many. */
  reportedBodyBytes: number;
  reportsLength: number;
  /** Outbound requests per invocation: in flight at a time, and in total. */
  concurrentFetches: number;
  fetches: number;
  /** Calls of `svc` per invocation: in flight at a time, and waiting. */
  concurrentSvcCalls: number;
  pendingSvcCalls: number;
  /** A call of `svc`: characters of the method's name, and bytes of the arguments as JSON. */
  svcMethodLength: number;
  svcParamsBytes: number;
  /** Active timers per invocation. */
  timers: number;
  /**
   * Instances in total, and running instances per reactor, per group, and of a group in the background. They grow by one for each
   * step down a chain of reactors.
   */
  instances: number;
  instancesPerReactor: number;
  instancesPerGroup: number;
  backgroundInstances: number;
  /** Idle instances that are kept warm, and for how long. */
  idleInstances: number;
  idleMs: number;
  /** Invocations of one group waiting for an instance, and the bytes of their arguments as JSON. */
  queued: number;
  queuedBytes: number;
  /** Reactors above the innermost one in a chain of `svc.reactors.react`. */
  depth: number;
  /** Time after the deadline for a worker to report its timeout, before it is terminated. */
  graceMs: number;
  /** Time for a terminated worker to end before closing the sandbox goes on without it. A native call cannot be stopped. */
  terminateMs: number;
}

/** Characters of a request's method. */
export const MAX_METHOD_LENGTH = 64;

export const DEFAULT_LIMITS: Readonly<SandboxLimits> = {
  memoryBytes: 128 * MiB,
  retainedMemoryBytes: 48 * MiB,
  outputBytes: LIMITS.bodyBytes,
  consoleEntries: 1_000,
  consoleEntryLength: 8_192,
  consoleLength: 1_000_000,
  fetchBodyBytes: 5 * MiB,
  fetchMethodLength: MAX_METHOD_LENGTH,
  fetchUrlLength: 16_384,
  fetchHeaders: 100,
  fetchHeadersLength: 65_536,
  headerNameLength: 256,
  reportedTextLength: 8_192,
  reportedBodyBytes: 0,
  reportsLength: 1_000_000,
  concurrentFetches: 10,
  fetches: 1_000,
  concurrentSvcCalls: 8,
  pendingSvcCalls: 1_000,
  svcMethodLength: 64,
  // Room for the id of a token and the brackets around a body of the longest size.
  svcParamsBytes: LIMITS.bodyBytes + 4_096,
  timers: 1_000,
  instances: 16,
  instancesPerReactor: 8,
  instancesPerGroup: 12,
  backgroundInstances: 4,
  idleInstances: 8,
  idleMs: 300_000,
  queued: 1_000,
  queuedBytes: 64 * MiB,
  depth: 4,
  graceMs: 250,
  terminateMs: 5_000,
};

/** Characters of the host in a URL. DNS allows 253; the rest is room for percent-encoding and a port. */
export const MAX_HOST_LENGTH = 512;

/** Characters of each text of a thrown error: name, message, stack. */
export const MAX_ERROR_TEXT_LENGTH = 8_192;

/** Bytes that a host function takes in addition to its JSON. */
export const MAX_HOST_INPUT_BYTES = 64 * MiB;

/** Characters of JSON that a host function takes, for those that are not listed below: room for a key as text. */
export const DEFAULT_HOST_INPUT_LENGTH = 100_000;

/**
 * Characters of JSON that a host function takes, so that none runs longer than about 100 ms. `Intl` compares and segments
 * texts, and reads locales, in quadratic time, and so does the legacy URL API resolve paths.
 */
export const HOST_INPUT_LENGTHS: Readonly<Record<string, number>> = {
  intl: 10_000,
  supportedLocales: 10_000,
  encodeBuffer: 64 * MiB,
  parseParams: 8 * MiB,
  formatParams: 8 * MiB,
  parseUrl: 2_000_000,
  setUrlPart: 4_000_000,
  legacyResolve: 50_000,
};
