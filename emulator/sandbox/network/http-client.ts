import * as http from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { SMALL_BYTES } from '../../lib/turns.js';
import { VisibleError } from '../outcome.js';
import { type ConnectionOptions, toTlsOptions } from './connection-options.js';
import { assertHostAllowed, createGuardedLookup, findRedirect, type NetworkPolicy } from './policy.js';

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
  /** Called with the bytes that a body may have, before more of it is kept than a little; its error ends the request. */
  admitBody?: (bytes: number) => Promise<void>;
  signal: AbortSignal;
}

type SingleResponse = Omit<HttpResponse, 'url' | 'redirected'>;

/** Headers that Node.js sets for the connection; those of the caller are dropped. */
export const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Responses with a status of 1xx before the final one. A server may send them without end, and each takes time. */
const MAX_INTERIM_RESPONSES = 10;

const TOO_MANY_INTERIM_RESPONSES = `The server sent more than ${MAX_INTERIM_RESPONSES} responses with a status of 1xx.`;

const DECOMPRESSORS: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Sends one request under the network policy and reads the whole response, without redirects. @throws VisibleError */
export async function sendRequest(request: HttpRequest, options: RequestOptions): Promise<SingleResponse> {
  const message = await open(request, options);
  const body = await readBody(message, request, options);
  const { statusCode = 0, statusMessage = '', rawHeaders } = message;
  const headers: [string, string][] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    headers.push([String(rawHeaders[i]).toLowerCase(), String(rawHeaders[i + 1])]);
  return { status: statusCode, statusText: statusMessage, headers, body };
}

async function open(request: HttpRequest, { policy, httpToLoopbackOnly, signal }: RequestOptions) {
  const url = new URL(request.url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new VisibleError('Only http and https are supported.', 'TypeError', 'ERR_INVALID_PROTOCOL');
  const target = redirect(url, policy);
  const port = portOf(target);
  const rules = { policy, loopbackOnly: httpToLoopbackOnly === true && target.protocol === 'http:' };
  assertHostAllowed(rules, target.hostname, port);
  const isHttps = target.protocol === 'https:';
  const { request: createRequest } = isHttps ? await import('node:https') : http;
  const tlsOptions = isHttps ? toTlsOptions(request.connection) : {};
  const response = new Promise<http.IncomingMessage>((resolve, reject) => {
    const outgoing = createRequest(target, {
      ...tlsOptions,
      method: request.method,
      // A stub is told which host it stands for.
      headers: { ...(target !== url && { host: url.host }), ...toHeaderMap(request) },
      lookup: createGuardedLookup(rules, port),
      agent: false,
      signal,
    });
    let interim = 0;
    outgoing.on('information', () => {
      interim += 1;
      if (interim <= MAX_INTERIM_RESPONSES) return;
      // At once: the final response may be in the same packet.
      reject(new VisibleError(TOO_MANY_INTERIM_RESPONSES));
      outgoing.destroy();
    });
    outgoing.on('response', resolve);
    outgoing.on('error', reject);
    // After a switch of protocols (101), Node.js closes the connection without an error, and the signal has no effect.
    outgoing.on('close', () =>
      reject(new VisibleError('The server closed the connection without a response.')),
    );
    outgoing.end(request.body);
  });
  return response.catch((error) => {
    throw toVisibleError(error);
  });
}

const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80);

/** Returns the URL to connect to: the same URL, or that of the stub that stands for its host (`--redirect`). */
function redirect(url: URL, policy: NetworkPolicy): URL {
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const stub = findRedirect(policy, { hostname, port: portOf(url) });
  if (!stub) return url;
  return Object.assign(new URL(url), {
    protocol: stub.protocol,
    hostname: stub.hostname,
    port: stub.port,
  });
}

function toHeaderMap({ headers, body, method }: HttpRequest): Record<string, string | string[]> {
  const map: Record<string, string | string[]> = {};
  for (const [name, value] of headers) {
    if (CONNECTION_HEADERS.has(name.toLowerCase())) continue;
    const previous = map[name];
    map[name] = previous === undefined ? value : [previous, value].flat();
  }
  const length = body?.byteLength ?? (method === 'GET' || method === 'HEAD' ? undefined : 0);
  if (length !== undefined) map['content-length'] = String(length);
  return map;
}

async function readBody(
  response: http.IncomingMessage,
  { method, decompress: isDecompressed = true }: HttpRequest,
  { maxBodyBytes, admitBody }: RequestOptions,
): Promise<Uint8Array> {
  const { statusCode = 0, headers } = response;
  const isEmpty = method === 'HEAD' || statusCode === 204 || statusCode === 304;
  const decompress =
    isEmpty || !isDecompressed ? undefined : DECOMPRESSORS[headers['content-encoding']?.toLowerCase() ?? ''];
  const stream: Readable = decompress ? pipeline(response, decompress(), () => {}) : response;
  const announced = decompress ? undefined : headers['content-length'];
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      const wasSmall = size <= SMALL_BYTES;
      size += (chunk as Buffer).length;
      if (size > maxBodyBytes)
        throw new VisibleError(`The response is longer than ${maxBodyBytes} bytes.`, 'RangeError');
      if (wasSmall && size > SMALL_BYTES) await admitBody?.(Number(announced ?? maxBodyBytes));
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    response.destroy();
    throw toVisibleError(error);
  }
  return Buffer.concat(chunks);
}

/** Errors with a code are safe to show: they name what the reactor connected to. Others are returned as they are. */
function toVisibleError(error: unknown): unknown {
  if (error instanceof VisibleError) return error;
  const { name, message, code } = error as NodeJS.ErrnoException;
  if (name === 'AbortError') return new VisibleError('The operation was aborted.', 'AbortError', 'ABORT_ERR');
  return code === undefined ? error : new VisibleError(message || `connect ${code}`, 'Error', code);
}
