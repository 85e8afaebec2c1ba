import type { Json } from '../../src/contract/json.js';

/** A line that reactor code wrote to `console`. */
export interface ConsoleEntry {
  level: 'debug' | 'log' | 'info' | 'warn' | 'error';
  /** Formatted as Node.js does; cut at the limit. */
  message: string;
  traceId: string;
  reactorId: string;
  /** Milliseconds since the epoch, by the sandbox's clock. */
  time: number;
}

/** A request that reactor code made through `fetch`, `node-fetch` or `axios`, with bodies as text. Mask before showing. */
export interface OutboundRequest {
  method: string;
  url: string;
  /** Absent when the request failed before an answer. */
  status?: number;
  /** Why it failed: refused by the network policy, no connection, aborted. */
  error?: string;
  durationMs: number;
  requestHeaders: Record<string, string>;
  responseHeaders: Record<string, string>;
  /** The first 4 KiB, as text. */
  requestBody?: string;
  /** The first 4 KiB, as text. */
  responseBody?: string;
  traceId: string;
  reactorId: string;
}

/**
 * Answers a call that reactor code makes through `svc`. `method` is a path such as `tokens.create` or `tokenize`, `params`
 * its arguments as given. A rejection reaches the code as an error with the `message`, `status` and `errors` of the reason.
 */
export type SvcCall = (method: string, params: Json[]) => Promise<unknown>;

/** The code of a reactor. */
export interface ReactorCode {
  reactorId: string;
  /** Changes whenever the code or the configuration does; instances are kept per reactor and version. */
  version: string;
  code: string;
  /** Name in error positions; `reactor.js` by default. */
  fileName?: string;
}

/** The code alone, to be loaded and not called. */
export interface LoadRequest extends ReactorCode {
  /** From now until the outcome, waiting for an instance included. */
  timeoutMs: number;
  /** How many reactors are above this one in a chain of `svc.reactors.react`; 0 by default. */
  depth?: number;
  traceId: string;
  /** Called in order, until the outcome. Bounded by the limits. */
  console?: (entry: ConsoleEntry) => void;
  onRequest?: (request: OutboundRequest) => void;
}

export interface Invocation extends LoadRequest {
  args: Json;
  configuration: Record<string, string>;
  /** null: the reactor has no application, `req.svc` is null. */
  svc: SvcCall | null;
  signal?: AbortSignal;
}
