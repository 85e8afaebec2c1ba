import type { ConnectionOptions } from './connection-options.js';
import type { NetworkPolicy } from './policy.js';

/** An outbound HTTP request, with the arguments of `fetch` already normalized. */
export interface HttpRequest {
  /** Absolute; http or https. */
  url: string;
  method: string;
  /** One pair per header line; names may repeat. */
  headers: [string, string][];
  body: Uint8Array | undefined;
  redirect: 'follow' | 'error' | 'manual';
  /** Whether the body of the response is decompressed. Default true. */
  decompress?: boolean;
  /** Certificates and other options of the connection. */
  connection?: ConnectionOptions;
}

/** A response read to its end, with the body decompressed unless the request says otherwise. */
export interface HttpResponse {
  /** URL of the last request in the chain of redirects. */
  url: string;
  redirected: boolean;
  status: number;
  statusText: string;
  headers: [string, string][];
  body: Uint8Array;
}

export interface RequestOptions {
  policy: NetworkPolicy;
  /** Refuse http to every address but loopback, checked against the address that the socket connects to. */
  httpToLoopbackOnly?: boolean;
  /** Limit for the decompressed response body. Bytes. */
  maxBodyBytes: number;
  /** Called with the length of each part of the body before it is kept; `false` ends the request with an error. */
  mayKeep?: (bytes: number) => boolean;
  signal: AbortSignal;
}
