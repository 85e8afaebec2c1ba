import type { Method } from '../contract/operation.js';

export interface TransportRequest {
  method: Method;
  /** Relative to the base URL, with the query. */
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Aborts the request. */
  signal: AbortSignal;
}

export interface TransportResponse {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/** What carries a request to the service and brings its answer: HTTP, or the emulator in this process. */
export interface Transport {
  /** Where it leads, for messages. */
  readonly url: string;
  /** @throws {Error} with a `code` when no answer comes; the reason of the signal when that was aborted. */
  send(request: TransportRequest): Promise<TransportResponse>;
  close(): Promise<void>;
}

/** The URL of a path below a base URL that may have a path of its own. */
export function resolveUrl(baseUrl: string, path: string): URL {
  return new URL(baseUrl.replace(/\/+$/, '') + path);
}

/** Whether a base URL leads to this machine. */
export function isLoopback(baseUrl: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(baseUrl).hostname);
}
