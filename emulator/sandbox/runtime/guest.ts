import type { ConsoleEntry, OutboundRequest } from '../invocation.js';
import type { HttpRequest, HttpResponse } from '../network/redirects.js';
import type { GuestResult, SvcResponse } from '../protocol.js';

/** What a running invocation may ask of its worker; ends with the invocation. */
export interface HostServices {
  /** By `performance.now()`: when the invocation must have ended. */
  readonly deadline: number;
  console(level: ConsoleEntry['level'], message: string): void;
  /** Rejects only with an error fit for the code to see. */
  svc(method: string, params: string): Promise<SvcResponse>;
  /** Tells the host of an outbound request that did not go through `fetch` here. */
  report(request: Omit<OutboundRequest, 'traceId' | 'reactorId'>): void;
  fetch(call: HttpRequest, signal: AbortSignal): Promise<HttpResponse>;
}

export interface GuestRequest {
  args: string;
  configuration: string;
  hasSvc: boolean;
}

/** One loaded reactor: a runtime of either kind behind the same protocol. */
export interface Guest {
  /** Milliseconds between the machine's clock and what `Date` shows. */
  setClock(offsetMs: number): void;
  /** Compiles the code and runs its top level. @returns undefined when there is a function to call. */
  load(code: string, fileName: string, services: HostServices): Promise<GuestResult | undefined>;
  call(request: GuestRequest, services: HostServices): Promise<GuestResult>;
  /** False after anything that may have left the guest in a state that a next invocation would notice. */
  readonly isReusable: boolean;
  memoryBytes(): number;
}
