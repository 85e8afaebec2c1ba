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

/** Carries requests to a service: over HTTP, or to an emulator in this process. */
export interface Transport {
  /** The base URL, or a name for it, for messages. */
  readonly url: string;
  /** @throws {Error} with a `code` when the connection fails; the reason of the signal when that is aborted. */
  send(request: TransportRequest): Promise<TransportResponse>;
  close(): Promise<void>;
}

/** Resolves a path against a base URL, which may have a path of its own. */
export function resolveUrl(baseUrl: string, path: string): URL {
  return new URL(baseUrl.replace(/\/+$/, '') + path);
}

/** Whether the host of a base URL is this machine: `localhost`, `127.…` or `[::1]`. */
export function isLoopback(baseUrl: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(baseUrl).hostname);
}
