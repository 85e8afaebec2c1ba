import { EventEmitter } from 'node:events';
import { setGlobalAgent } from '../../bridge/connection-options.js';
import { callHost } from '../../bridge/host-bridge.js';
import { ClientRequest, type ParsedRequest, type RequestOptions } from '../http-request.js';
import { IncomingMessage } from '../http-response.js';

/** `http.METHODS` and `http.STATUS_CODES` of the host. */
const { METHODS, STATUS_CODES } = callHost<{
  METHODS: string[];
  STATUS_CODES: Record<string, string>;
}>('httpNames', null);

/** Pools nothing: the host opens the connections. */
class Agent extends EventEmitter {
  readonly options: object;
  readonly sockets = {};
  readonly requests = {};
  readonly freeSockets = {};
  maxSockets = Number.POSITIVE_INFINITY;
  maxFreeSockets = 256;

  constructor(options: object = {}) {
    super();
    this.options = { ...options };
  }

  destroy(): void {}
}

/** Reads the arguments of `http.request`: a URL, options, or both, and a listener. */
function parseRequest(args: readonly unknown[]): ParsedRequest {
  const [first, ...others] = args;
  const isUrl = typeof first === 'string' || first instanceof URL;
  const listener = args.find((value) => typeof value === 'function') as ParsedRequest['listener'];
  const given = (isUrl ? others[0] : first) as RequestOptions | undefined;
  const options = typeof given === 'object' && given !== null ? given : {};
  const url = isUrl ? new URL(String(first)) : toUrl(options);
  if (isUrl && options.path) url.href = new URL(options.path, url.origin).href;
  return { url, options, listener };
}

function toUrl({ protocol, hostname, host, port, path }: RequestOptions): URL {
  const name = hostname ?? host ?? 'localhost';
  const isAddress6 = name.includes(':') && !name.startsWith('[') && name.split(':').length > 2;
  const authority = `${isAddress6 ? `[${name}]` : name.replace(/:\d+$/, '')}${port ? `:${port}` : ''}`;
  return new URL(`${protocol ?? 'http:'}//${authority}${path ?? '/'}`);
}

const request = (...args: unknown[]): ClientRequest => new ClientRequest(parseRequest(args));

function get(...args: unknown[]): ClientRequest {
  const started = request(...args);
  started.end();
  return started;
}

function createServer(): never {
  throw new Error('A reactor cannot listen for connections.');
}

const globalAgent = new Agent();
setGlobalAgent(globalAgent);

/** `require('http')`: the client, over the host's `fetch`. */
export const exported = {
  Agent,
  ClientRequest,
  IncomingMessage,
  METHODS,
  STATUS_CODES,
  createServer,
  get,
  globalAgent,
  maxHeaderSize: 16_384,
  request,
};
