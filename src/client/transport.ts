import type { Method } from '../contract/operation-row.js';
import { ProtocolError } from './errors.js';

export interface TransportRequest {
  method: Method;
  /** Relative to the base URL, with the query. */
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
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
  /** Host and port of the proxy that requests go through, for messages. */
  readonly proxy?: string;
  /** @throws {Error} with a `code` when the connection fails; the reason of the signal when that is aborted. */
  send(request: TransportRequest): Promise<TransportResponse>;
  close(): Promise<void>;
}

/** Bytes of one response: as many as a tenant file may have, and eight times the longest response of an operation. 256 MiB. */
const MAX_RESPONSE_BYTES = 268_435_456;

/** Reads the body of a response. @param url of the service, for messages @throws {ProtocolError} if it is too long */
export async function readBody(parts: AsyncIterable<Uint8Array>, url: string): Promise<string> {
  const read: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of parts) {
    bytes += part.length;
    if (bytes > MAX_RESPONSE_BYTES)
      throw new ProtocolError(`${url} sent a response of more than ${MAX_RESPONSE_BYTES / 2 ** 20} MiB.`);
    read.push(part);
  }
  return Buffer.concat(read).toString('utf8');
}

/** Rejects with the reason of a signal once it is aborted; never resolves. */
export function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

export function joinHeaders(headers: Readonly<Record<string, string | string[] | undefined>>) {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value;
  return joined;
}

/** Resolves a path against a base URL, which may have a path of its own. */
export function resolveUrl(baseUrl: string, path: string): URL {
  return new URL(baseUrl.replace(/\/+$/, '') + path);
}

/** Whether the host of a base URL is this machine: `localhost`, `127.…` or `[::1]`. */
export const isLoopback = (baseUrl: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(baseUrl).hostname);

interface Proxies {
  http?: string | undefined;
  https?: string | undefined;
  /** Hosts that are reached directly, as in `NO_PROXY`: names, optionally with a port, or `*`. A name covers its subdomains. */
  none?: string | undefined;
}

/** Returns the proxy of a base URL; undefined if it is reached directly, like every service on this machine. */
export function proxyOf(baseUrl: string, proxies: Proxies): string | undefined {
  if (isLoopback(baseUrl)) return undefined;
  const url = new URL(baseUrl);
  if (proxies.none?.split(/[,\s]+/).some((entry) => covers(entry, url))) return undefined;
  return url.protocol === 'https:' ? (proxies.https ?? proxies.http) : proxies.http;
}

/** Whether an entry of `NO_PROXY` names the host of a URL. */
function covers(entry: string, { hostname, port, protocol }: URL): boolean {
  if (entry === '*') return true;
  const [, name = '', entryPort] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
  if (name === '') return false;
  if (entryPort !== undefined && entryPort !== (port || (protocol === 'https:' ? '443' : '80'))) return false;
  return hostname === name || hostname.endsWith(`.${name}`);
}
