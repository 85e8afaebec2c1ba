import { LIMITS } from '../../src/contract/limits.js';
import { DEBUGGING_MS } from '../../src/contract/with-timeout.js';

const MiB = 1024 * 1024;

export const DEFAULT_LIMITS = {
  /** Memory of an instance: everything that reactor code can allocate. Bytes. */
  memoryBytes: 128 * MiB,
  /** An instance that uses more memory is terminated after its invocation instead of being reused. Bytes. */
  retainedMemoryBytes: 48 * MiB,
  /** The result as JSON, the payload limit of the specification. Bytes of UTF-8. */
  outputBytes: LIMITS.bodyBytes,
  /** `console` entries per invocation, characters per entry, and characters of all entries. */
  consoleEntries: 1_000,
  consoleEntryLength: 8_192,
  consoleLength: 1_000_000,
  /** Body of an outbound request, and of its response. Bytes. */
  fetchBodyBytes: 5 * MiB,
  /** Head of an outbound request: characters of method and URL, number of headers, characters of all headers. */
  fetchMethodLength: 64,
  fetchUrlLength: 16_384,
  fetchHeaders: 100,
  fetchHeadersLength: 65_536,
  /** Characters of a header's name, in reports and in responses that a reactor makes up. Longer ones are dropped. */
  headerNameLength: 256,
  /** Reports of outbound requests: characters of each text (URL, header, body, error), and of all reports per invocation. */
  reportedTextLength: 8_192,
  reportsLength: 1_000_000,
  /** Bytes of a request's body that are reported besides its preview, to search it as a whole; of all reports, ten times as many. */
  reportedBodyBytes: 0,
  /** Outbound requests per invocation: in flight at a time, and in total. */
  concurrentFetches: 10,
  fetches: 1_000,
  /** Calls of `svc` per invocation: in flight at a time, and waiting. */
  concurrentSvcCalls: 8,
  pendingSvcCalls: 1_000,
  /** A call of `svc`: characters of the method's name, and bytes of the arguments as JSON, with room for the id of a token. */
  svcMethodLength: 64,
  svcParamsBytes: LIMITS.bodyBytes + 4_096,
  timers: 1_000,
  /**
   * Instances in total, the shares of them that a tenant may have, and its invocations that nobody waits for, and running instances
   * per reactor. They grow by one for each step down a chain of reactors.
   */
  instances: 16,
  tenantShare: 3 / 4,
  backgroundShare: 1 / 4,
  instancesPerReactor: 8,
  /** Memory of the idle instances that are kept warm, and for how long. A new one has 16 MiB. */
  idleBytes: 128 * MiB,
  idleMs: 300_000,
  /** Reactors above the innermost one in a chain of `svc.reactors.react`. */
  depth: 4,
  /** Time after the deadline for a worker to report its timeout, before it is terminated. */
  graceMs: 250,
  /** Delay before a spare is started, so that its start does not compete with the invocation that took the last one. */
  spareDelayMs: 250,
  /** What is made ahead: a guest in each thread for its next code, and a spare. */
  standbys: 1,
  /** Time for a terminated worker to end before closing the sandbox goes on without it. A native call cannot be stopped. */
  terminateMs: 5_000,
};

/** With an inspector, one thread runs one invocation after another and is kept, so that a debugger stays attached to it. */
export const DEBUGGING_LIMITS = {
  instances: 1,
  instancesPerReactor: 1,
  retainedMemoryBytes: Number.POSITIVE_INFINITY,
  idleBytes: Number.POSITIVE_INFINITY,
  spareDelayMs: DEBUGGING_MS,
  /** For a debugger to detach, which those of editors do by themselves. */
  terminateMs: 500,
};

export type SandboxLimits = Readonly<Record<keyof typeof DEFAULT_LIMITS, number>>;

/** Characters of the host in a URL. DNS allows 253; the rest is room for percent-encoding and a port. */
export const MAX_HOST_LENGTH = 512;

/** Characters of each text of a thrown error: name, message, stack. */
export const MAX_ERROR_TEXT_LENGTH = 8_192;

/** Bytes that a host function takes in addition to its JSON. */
export const MAX_HOST_INPUT_BYTES = 64 * MiB;

/** Characters of JSON that a host function takes, for those that are not listed below: room for a key as text. */
export const DEFAULT_HOST_INPUT_LENGTH = 100_000;

/** Values and levels of the JSON that a host function takes, because parsed they take far more memory than as text. */
export const HOST_INPUT_BOUNDS = { levels: 32, values: 2_500_000 };

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
