import type { Json } from '../../src/contract/json.js';
import type { NetworkPolicy } from './network/policy.js';

/** An entry that reactor code wrote to `console`. */
export interface ConsoleEntry {
  level: 'debug' | 'log' | 'info' | 'warn' | 'error';
  /** Formatted as in Node.js, truncated to `limits.consoleEntryLength`. */
  message: string;
  traceId: string;
  reactorId: string;
  /** Milliseconds since the epoch, from the sandbox's clock. */
  time: number;
}

/** A request that reactor code sent. URL, headers and bodies may contain token data: mask them before display. */
export interface OutboundRequest {
  method: string;
  url: string;
  status?: number;
  /** Why there was no response: refused by the network policy, connection failed, aborted. */
  error?: string;
  durationMs: number;
  requestHeaders: Record<string, string>;
  responseHeaders: Record<string, string>;
  /** The first 4 KiB as text. Absent in runtime `node`. */
  requestBody?: string;
  /** The first 4 KiB as text. Absent in runtime `node`. */
  responseBody?: string;
  /** The body, if `limits.reportedBodyBytes` lets it be reported. Absent in runtime `node`. */
  requestBytes?: Uint8Array;
  traceId: string;
  reactorId: string;
}

/** Executes a call of `svc` with unchecked arguments. @throws Error whose `message`, `status` and `errors` code sees */
export type SvcCall = (method: string, params: Json[]) => Promise<unknown>;

export interface ReactorCode {
  reactorId: string;
  /** Must change with the code and with the configuration. Instances are reused per reactor and version. */
  version: string;
  code: string;
  /** File name in error positions; `reactor.js` by default. */
  fileName?: string;
}

export interface LoadRequest extends ReactorCode {
  /** Time until the outcome, including the wait for an instance. */
  timeoutMs: number;
  /** Number of reactors above this one in a chain of `svc.reactors.react`; 0 by default. */
  depth?: number;
  traceId: string;
  /** Invocations of different tenants take turns while they wait for an instance. */
  tenantId?: string;
  /** The network policy, if it is not that of the sandbox. */
  network?: NetworkPolicy;
  /** Nobody waits for the result: it may take a smaller share of the instances. */
  isBackground?: boolean;
  /** Source of `Date`, in milliseconds since the epoch; the clock of the sandbox by default. */
  clock?: { now(): number };
  /** Receives entries in order until the outcome, at most `limits.consoleEntries`. */
  console?: (entry: ConsoleEntry) => void;
  onRequest?: (request: OutboundRequest) => void;
}

/** Loads code, unless a warm instance has it, and calls its function. */
export interface Invocation extends LoadRequest {
  args: Json;
  configuration: Record<string, string>;
  /** null if the reactor has no application; `req.svc` is then null too. */
  svc: SvcCall | null;
  /** Whether the function takes `{ req: { args }, configuration }` instead of `{ args, configuration }`. */
  takesEvent?: boolean;
  signal?: AbortSignal;
}
