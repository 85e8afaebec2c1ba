import type { Json } from '../../src/contract/json.js';
import type { ConsoleEntry, OutboundRequest } from './invocation.js';
import type { SandboxLimits } from './limits.js';
import type { NetworkPolicy } from './network/policy.js';
import type { ReactorResult, RuntimeFailure } from './outcome.js';

/** What a worker is started with. Nothing secret: a guest that broke out would read it. */
export interface WorkerOptions {
  runtime: 'quickjs' | 'node';
  /** Runtime `quickjs`: compiled once, shared by all workers. */
  wasmModule?: WebAssembly.Module;
  modulesDir?: string;
  network: NetworkPolicy;
  limits: SandboxLimits;
}

export interface RunMessage {
  type: 'run';
  /** Present on the first run of an instance. */
  source?: { code: string; fileName: string };
  /** Absent: load only. JSON, so that the thread boundary copies one string. */
  request?: { args: string; configuration: string; hasSvc: boolean };
  timeoutMs: number;
  /** Milliseconds to add to the machine's clock for what `Date` shows. */
  clockOffsetMs: number;
}

export interface SvcFailure {
  message: string;
  status?: number;
  errors?: Json;
}

/** Answers the `svc` message of the same number. */
export type SvcResponse = { type: 'answer'; call: number } & ({ json: string } | { failure: SvcFailure });

export type MessageToWorker = RunMessage | SvcResponse;

/** As `Result`, with failures not yet worded, and the value still as JSON, so that it crosses over as one string. */
export type GuestResult =
  | Exclude<ReactorResult, { kind: RuntimeFailure | 'returned' }>
  | { kind: 'returned'; json?: string }
  | { kind: 'failed'; failure: RuntimeFailure; detail?: string | undefined };

export interface DoneMessage {
  type: 'done';
  /** undefined after a load without a call. */
  result: GuestResult | undefined;
  loadMs: number;
  runMs: number;
  /** False when the instance must not run anything again. */
  reusable: boolean;
  memoryBytes: number;
}

export type MessageFromWorker =
  | { type: 'ready'; memoryBytes: number }
  | { type: 'console'; level: ConsoleEntry['level']; message: string }
  | { type: 'svc'; call: number; method: string; params: string }
  | { type: 'request'; request: Omit<OutboundRequest, 'traceId' | 'reactorId'> }
  | DoneMessage;
