import type { Json } from '../../src/contract/json.js';
import type { ConsoleEntry, OutboundRequest } from './invocation.js';
import type { SandboxLimits } from './limits.js';
import type { HttpRequest, HttpResponse } from './network/http-client.js';
import type { NetworkPolicy } from './network/policy.js';
import type { ReactorResult, RuntimeFailure } from './outcome.js';
import type { Packages } from './packages/package-provider.js';

/** Where the inspector of Node.js listens. */
export interface InspectorAddress {
  /** Of this machine. */
  host: string;
  /** 0 for a free one. */
  port: number;
  /** Waits for a debugger before code is loaded, and lets it stop at the first statement of the first call. */
  waits: boolean;
}

/** What a debugger finds the sources of code by. */
export interface CodeOrigin {
  /** File URL of the code. A bundle has no such file. */
  url: string;
  /** Source map, version 3, with absolute URLs and the contents of the sources. Absent if the code is the source. */
  sourceMap?: string;
}

/** Options of a worker thread. Must not contain secrets, because code that escapes the guest could read them. */
export interface WorkerOptions {
  runtime: 'quickjs' | 'node';
  /** Absolute path of the folder whose node_modules `require` searches. */
  modulesDir?: string;
  names?: GuestNames;
  network: NetworkPolicy;
  /** The main thread sends the requests of `fetch`. */
  fetchesOnHost?: boolean;
  /** Runtime `node` only. */
  inspector?: InspectorAddress;
  limits: SandboxLimits;
}

/** Names that reactor code may use in addition to those of the service, so that code written for another service runs unchanged. */
export interface GuestNames {
  /** Property of a request that holds the client, like `svc`. */
  client?: string;
  modules?: Readonly<Record<string, string>>;
}

/** Arguments of a reactor function. JSON texts, so that the thread boundary copies strings instead of cloning objects. */
export interface GuestRequest {
  args: string;
  configuration: string;
  /** False if the reactor has no application; `req.svc` is then null. */
  hasSvc: boolean;
  /** Whether the function takes an event, the newer contract of the API family. */
  takesEvent: boolean;
}

/** The QuickJS engine, loaded once and shared by all workers. */
export interface EngineFiles {
  /** A compiled WebAssembly module: the declarations of the package do not have its type, see web-assembly.d.ts. */
  wasmModule: object;
  /** Memory of an engine in which the prelude was booted; never of one that has run reactor code. */
  image: Uint8Array;
}

/** Asks a worker for a new guest. The one before it, with all its state, is dropped. */
export interface StartMessage {
  type: 'start';
  /** Runtime `quickjs` only. */
  engine?: EngineFiles;
}

export interface ReactorSource {
  code: string;
  fileName: string;
  /** For a debugger. */
  origin?: CodeOrigin;
  /** Runtime `quickjs` with a directory of packages only. */
  packages?: Packages;
}

/** Asks a worker to load code, call the function, or both. */
export interface RunMessage {
  type: 'run';
  /** Present in the first run of a guest only. */
  source?: ReactorSource;
  /** Absent if the code is only loaded. */
  request?: GuestRequest;
  timeoutMs: number;
  traceId: string;
  /** The network policy of this run, if it is not that of the worker. */
  network?: NetworkPolicy;
  /** Difference between the machine's clock and what `Date` returns. Milliseconds. */
  clockOffsetMs: number;
}

/** Why a call to the main thread failed: the properties of the error that reactor code sees. */
export interface CallFailure {
  message: string;
  name?: string | undefined;
  code?: string | undefined;
  status?: number;
  errors?: Json;
}

/** The result of a call of `svc`, as JSON, or of a request. */
export type CallResult<Value extends string | HttpResponse> = { value: Value } | { failure: CallFailure };

/** Response to the `svc` or `fetch` message with the same `call` number. */
export type CallResponse = { type: 'response'; call: number } & CallResult<string | HttpResponse>;

/** Asks a worker with an inspector to end, between two runs. */
type EndMessage = { type: 'end' };

export type MessageToWorker = StartMessage | RunMessage | EndMessage | CallResponse;

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
  isLoaded: boolean;
  /** False if the instance must not be used again. */
  isReusable: boolean;
  memoryBytes: number;
}

export type MessageFromWorker =
  | { type: 'ready'; memoryBytes: number }
  | { type: 'console'; level: ConsoleEntry['level']; message: string }
  | { type: 'svc'; call: number; method: string; params: string }
  | { type: 'fetch'; call: number; request: HttpRequest }
  | { type: 'request'; request: Omit<OutboundRequest, 'traceId' | 'reactorId'> }
  /** An unexpected error of the host, as the log shows it. */
  | { type: 'host-error'; cause: string }
  | DoneMessage;

/** Answers a request of reactor code on the main thread. Never rejects. @param timeoutMs time that the invocation has */
export type RespondToFetch = (request: HttpRequest, timeoutMs: number) => Promise<CallResult<HttpResponse>>;
