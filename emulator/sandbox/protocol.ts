import type { Json } from '../../src/contract/json.js';
import type { ConsoleEntry, OutboundRequest } from './invocation.js';
import type { SandboxLimits } from './limits.js';
import type { NetworkPolicy } from './network/policy.js';
import type { ReactorResult, RuntimeFailure } from './outcome.js';

/** Options of a worker thread. Must not contain secrets, because code that escapes the guest could read them. */
export interface WorkerOptions {
  runtime: 'quickjs' | 'node';
  /** Runtime `node` only: absolute path of the folder whose node_modules `require` searches. */
  modulesDir?: string;
  network: NetworkPolicy;
  limits: SandboxLimits;
}

/** Arguments of a reactor function. JSON texts, so that the thread boundary copies strings instead of cloning objects. */
export interface GuestRequest {
  args: string;
  configuration: string;
  /** False if the reactor has no application; `req.svc` is then null. */
  hasSvc: boolean;
}

/** The QuickJS engine, loaded once and shared by all workers. */
export interface EngineFiles {
  wasmModule: WebAssembly.Module;
  /** Memory of an engine in which the prelude was booted; never of one that has run reactor code. */
  image: Uint8Array;
}

/** Asks a worker for a new guest. The one before it, with all its state, is dropped. */
export interface StartMessage {
  type: 'start';
  /** Runtime `quickjs` only. */
  engine?: EngineFiles;
}

/** Asks a worker to load code, call the function, or both. */
export interface RunMessage {
  type: 'run';
  /** Present in the first run of a guest only. */
  source?: { code: string; fileName: string };
  /** Absent if the code is only loaded. */
  request?: GuestRequest;
  timeoutMs: number;
  /** Difference between the machine's clock and what `Date` returns. Milliseconds. */
  clockOffsetMs: number;
}

/** A rejected `svc` call, as plain data. */
export interface SvcFailure {
  message: string;
  status?: number;
  errors?: Json;
}

/** Response to the `svc` message with the same `call` number. */
export type SvcResponse = { type: 'svc-response'; call: number } & (
  | { json: string }
  | { failure: SvcFailure }
);

export type MessageToWorker = StartMessage | RunMessage | SvcResponse;

/** A `ReactorResult` before the main thread words failures and parses the returned value. */
export type GuestResult =
  | Exclude<ReactorResult, { kind: RuntimeFailure | 'returned' }>
  | { kind: 'returned'; json?: string }
  | { kind: 'failed'; failure: RuntimeFailure; detail?: string | undefined };

export interface DoneMessage {
  type: 'done';
  /** undefined after a successful load without a call. */
  result: GuestResult | undefined;
  loadMs: number;
  runMs: number;
  /** False if the instance must not be used again. */
  isReusable: boolean;
  memoryBytes: number;
}

export type MessageFromWorker =
  | { type: 'ready'; memoryBytes: number }
  | { type: 'console'; level: ConsoleEntry['level']; message: string }
  | { type: 'svc'; call: number; method: string; params: string }
  | { type: 'request'; request: Omit<OutboundRequest, 'traceId' | 'reactorId'> }
  | DoneMessage;
