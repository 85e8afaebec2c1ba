import axios, { AxiosError, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';
import type { ConnectionOptions } from '../../network/connection-options.js';
import { CONNECTION, createUnsupportedError, readConnectionOptions } from '../bridge/connection-options.js';

type Config = InternalAxiosRequestConfig;
type Send = (url: string, init: RequestInit) => Promise<Response>;

/** The adapter remembers each `fetch`, so that there is one, and the one of a request is an option of it. */
const env = {
  fetch: (url: unknown, init: unknown) => {
    const { send, ...others } = init as RequestInit & { send: Send };
    return send(url as string, others);
  },
  Request: null,
} as unknown as NonNullable<Config['env']>;

/** Sends axios requests with the adapter of the package for `fetch`, and makes of them what they are in Node.js. */
async function hostAdapter(config: Config): Promise<AxiosResponse> {
  let received: Response | undefined;
  const connection = connectionOf(axios.getUri(config), config);
  const send: Send = async (url, init) => {
    received = await sendRequest(url, { ...init, [CONNECTION]: connection } as RequestInit);
    return received;
  };
  const data = (await readNodeStream(config.data)) as unknown;
  const fetchOptions = { ...config.fetchOptions, send };
  try {
    const response = await axios.getAdapter('fetch', { ...config, env })({
      ...config,
      data,
      fetchOptions,
    } as Config);
    return toNodeResponse(response, config, received);
  } catch (error) {
    throw error instanceof AxiosError ? toNodeError(error, config, received) : error;
  }
}

async function sendRequest(url: string, { body, ...init }: RequestInit): Promise<Response> {
  const hasBody = body !== undefined && body !== null && init.method !== 'GET' && init.method !== 'HEAD';
  const headers = new Headers(init.headers);
  // Replaces the default of axios; `fetch` adds the boundary.
  if (body instanceof FormData) headers.delete('content-type');
  try {
    return await fetch(url, { ...init, headers, ...(hasBody && { body }) });
  } catch (error) {
    const cause = (error as Error).cause as NodeJS.ErrnoException | undefined;
    throw cause ? AxiosError.from(cause, cause.code ?? AxiosError.ERR_NETWORK) : error;
  }
}

function toNodeResponse(
  response: AxiosResponse,
  config: Config,
  received: Response | undefined,
): AxiosResponse {
  const { headers, data } = response;
  const cookies = received?.headers.getSetCookie() ?? [];
  if (cookies.length > 0) headers['set-cookie'] = cookies;
  const request = { res: { responseUrl: received?.url } };
  return Object.assign(response, {
    config,
    request,
    data: data instanceof ArrayBuffer ? Buffer.from(data) : data,
  });
}

function toNodeError(error: AxiosError, config: Config, received: Response | undefined): AxiosError {
  if (error.response) {
    toNodeResponse(error.response, config, received);
    error.request = error.response.request;
  } else if (error.code === AxiosError.ETIMEDOUT && config.timeout) {
    error.message = config.timeoutErrorMessage ?? error.message;
    if (!config.transitional?.clarifyTimeoutError) error.code = AxiosError.ECONNABORTED;
  } else if (config.signal?.aborted) error.message = 'canceled';
  return Object.assign(error, { config });
}

function connectionOf(uri: string, config: Config): ConnectionOptions | undefined {
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

// Set on the defaults, so that instances created with `axios.create` use it too.
axios.defaults.adapter = hostAdapter;

export default axios;
