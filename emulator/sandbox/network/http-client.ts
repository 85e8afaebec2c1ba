import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { VisibleError } from '../visible-error.js';
import { assertHostAllowed, createGuardedLookup } from './connection-guard.js';
import type { HttpRequest, HttpResponse, RequestOptions } from './redirects.js';

type SingleResponse = Omit<HttpResponse, 'url' | 'redirected'>;

/** Set by the connection itself. */
const HOP_BY_HOP = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const DECOMPRESS: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** One request and its answer, without redirects. */
export async function sendRequest(call: HttpRequest, options: RequestOptions): Promise<SingleResponse> {
  const response = await open(call, options);
  const body = await readBody(response, call.method, options.maxBodyBytes);
  const { statusCode = 0, statusMessage = '', rawHeaders } = response;
  const headers: [string, string][] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    headers.push([String(rawHeaders[i]).toLowerCase(), String(rawHeaders[i + 1])]);
  }
  return { status: statusCode, statusText: statusMessage, headers, body };
}

function open(call: HttpRequest, { policy, signal }: RequestOptions): Promise<IncomingMessage> {
  const url = new URL(call.url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new VisibleError('Only http and https are supported.', 'TypeError', 'ERR_INVALID_PROTOCOL');
  }
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  assertHostAllowed(policy, url.hostname, port);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method: call.method,
      headers: toHeaderMap(call),
      lookup: createGuardedLookup(policy, port),
      agent: false,
      signal,
    });
    request.on('response', resolve);
    request.on('error', (error) => reject(toVisibleError(error)));
    request.end(call.body);
  });
}

function toHeaderMap({ headers, body, method }: HttpRequest): Record<string, string | string[]> {
  const result: Record<string, string | string[]> = {};
  for (const [name, value] of headers) {
    if (HOP_BY_HOP.has(name.toLowerCase())) continue;
    const previous = result[name];
    result[name] = previous === undefined ? value : [previous, value].flat();
  }
  const length = body?.byteLength ?? (method === 'GET' || method === 'HEAD' ? undefined : 0);
  if (length !== undefined) result['content-length'] = String(length);
  return result;
}

async function readBody(response: IncomingMessage, method: string, maxBytes: number): Promise<Uint8Array> {
  const { statusCode = 0, headers } = response;
  const isEmpty = method === 'HEAD' || statusCode === 204 || statusCode === 304;
  const decompress = isEmpty ? undefined : DECOMPRESS[headers['content-encoding']?.toLowerCase() ?? ''];
  const stream: Readable = decompress ? pipeline(response, decompress(), () => {}) : response;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      size += (chunk as Buffer).length;
      if (size > maxBytes)
        throw new VisibleError(`The response is longer than ${maxBytes} bytes.`, 'RangeError');
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    response.destroy();
    throw toVisibleError(error);
  }
  return Buffer.concat(chunks);
}

/** Connection errors speak of addresses and ports that the reactor named itself. */
function toVisibleError(error: unknown): VisibleError {
  if (error instanceof VisibleError) return error;
  const { name, message, code } = error as NodeJS.ErrnoException;
  if (name === 'AbortError') return new VisibleError('The operation was aborted.', 'AbortError', 'ABORT_ERR');
  return new VisibleError(message || `connect ${code}`, 'Error', code ?? 'ERR_FETCH');
}
