import axios, { AxiosError, AxiosHeaders, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';
import type { ConnectionOptions } from '../../connection-options.js';
import { CONNECTION, createUnsupportedError, readConnectionOptions } from '../bridge/connection-options.js';

/** Adapter that sends axios requests through the global `fetch`. */
export async function hostAdapter(config: InternalAxiosRequestConfig): Promise<AxiosResponse> {
  const controller = new AbortController();
  const stop = () => controller.abort();
  const timer = config.timeout ? setTimeout(stop, config.timeout) : undefined;
  const { signal, cancelToken } = config;
  if (signal?.aborted) stop();
  signal?.addEventListener?.('abort', stop);
  void cancelToken?.promise.then(stop);
  const cancelled = () => Boolean(signal?.aborted) || cancelToken?.reason !== undefined;
  try {
    const response = await sendRequest(config, controller.signal);
    return validateResponse(await toAxiosResponse(response, config));
  } catch (error) {
    if (cancelled()) throw new axios.CanceledError(undefined, undefined, config);
    throw error instanceof AxiosError
      ? error
      : toAxiosError(error as Error, config, controller.signal.aborted);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener?.('abort', stop);
  }
}

/** `fetch` takes no credentials in a URL. */
function splitCredentials(
  config: InternalAxiosRequestConfig,
): Pick<InternalAxiosRequestConfig, 'auth'> & { uri: string } {
  const uri = axios.getUri(config);
  const [, start, given, end] = /^(https?:\/\/)([^/?#]*)@(.*)$/i.exec(uri) ?? [];
  if (given === undefined) return { uri, ...(config.auth && { auth: config.auth }) };
  const [username = '', ...password] = given.split(':').map(decodeURIComponent);
  return { uri: `${start}${end}`, auth: config.auth ?? { username, password: password.join(':') } };
}

async function sendRequest(config: InternalAxiosRequestConfig, signal: AbortSignal): Promise<Response> {
  const headers = AxiosHeaders.from(config.headers as AxiosHeaders);
  const { uri, auth } = splitCredentials(config);
  if (auth) {
    const { username = '', password = '' } = auth;
    headers.set('Authorization', `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`);
  }
  if (!headers.has('User-Agent')) headers.set('User-Agent', `axios/${axios.VERSION}`);
  const method = (config.method ?? 'get').toUpperCase();
  const withBody = method !== 'GET' && method !== 'HEAD' && config.data !== undefined && config.data !== null;
  const body = withBody ? ((await readNodeStream(config.data)) as string) : undefined;
  return fetch(uri, {
    method,
    headers: headers.toJSON() as Record<string, string>,
    redirect: config.maxRedirects === 0 ? 'manual' : 'follow',
    signal,
    [CONNECTION]: connectionOf(uri, config),
    ...(body !== undefined && { body }),
  } as RequestInit);
}

function connectionOf(uri: string, config: InternalAxiosRequestConfig): ConnectionOptions | undefined {
  const { httpAgent, httpsAgent, proxy, socketPath, transport } = config;
  if (proxy) throw createUnsupportedError('the option proxy');
  if (transport) throw createUnsupportedError('the option transport');
  const { lookup } = config as { lookup?: unknown };
  const isHttps = /^https:/i.test(uri);
  return readConnectionOptions(
    isHttps ? 'https:' : 'http:',
    { lookup, socketPath },
    isHttps ? httpsAgent : httpAgent,
  );
}

async function toAxiosResponse(
  response: Response,
  config: InternalAxiosRequestConfig,
): Promise<AxiosResponse> {
  const { status, statusText, url } = response;
  const headers = new AxiosHeaders();
  for (const [name, value] of response.headers) headers.set(name, value);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) headers.set('set-cookie', cookies);
  const request = { res: { responseUrl: url } };
  return {
    data: await readData(response, config.responseType),
    status,
    statusText,
    headers,
    config,
    request,
  };
}

function readData(
  response: Response,
  type: InternalAxiosRequestConfig['responseType'],
): Promise<unknown> | unknown {
  if (type === 'arraybuffer') return response.arrayBuffer().then((bytes) => Buffer.from(bytes));
  if (type === 'stream') return response.body;
  return response.text();
}

function validateResponse(response: AxiosResponse): AxiosResponse {
  const { status, config, request } = response;
  if (!config.validateStatus || config.validateStatus(status)) return response;
  const code = status >= 500 ? AxiosError.ERR_BAD_RESPONSE : AxiosError.ERR_BAD_REQUEST;
  throw new AxiosError(`Request failed with status code ${status}`, code, config, request, response);
}

function toAxiosError(error: Error, config: InternalAxiosRequestConfig, timedOut: boolean): AxiosError {
  if (timedOut) {
    const message = config.timeoutErrorMessage ?? `timeout of ${config.timeout}ms exceeded`;
    return new AxiosError(message, AxiosError.ECONNABORTED, config);
  }
  const cause = (error.cause ?? error) as NodeJS.ErrnoException;
  return AxiosError.from(cause, cause.code ?? AxiosError.ERR_NETWORK, config);
}

interface NodeStream {
  pipe: unknown;
  on(event: string, listener: (value: never) => void): unknown;
  resume?(): unknown;
}

const isNodeStream = (body: unknown): body is NodeStream =>
  typeof (body as Partial<NodeStream> | null | undefined)?.pipe === 'function';

/**
 * Reads the body of a request to its end if it is a stream of Node.js. Listens to events, because streams of packages, such as
 * `form-data`, have no iterator.
 */
async function readNodeStream<Body>(body: Body): Promise<Body | Buffer> {
  if (!isNodeStream(body)) return body;
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    body.on('data', (chunk: string | Uint8Array) => chunks.push(Buffer.from(chunk as string)));
    body.on('end', () => resolve(Buffer.concat(chunks)));
    body.on('error', reject);
    body.resume?.();
  });
}
