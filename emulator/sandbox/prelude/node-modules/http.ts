import { EventEmitter } from 'node:events';
import { createUnsupportedError, defaults } from '../bridge/connection-options.js';
import { callHost } from '../bridge/host.js';
import { ClientRequest, type ParsedRequest, type RequestOptions } from './http-request.js';
import { IncomingMessage } from './http-response.js';

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
function parseRequest(args: readonly unknown[], protocol: string): ParsedRequest {
  const [first, second] = args;
  const isUrl = typeof first === 'string' || first instanceof URL;
  const listener = args.find((value) => typeof value === 'function') as ParsedRequest['listener'];
  const given = (isUrl ? second : first) as RequestOptions | undefined;
  const options = typeof given === 'object' && given !== null ? given : {};
  const url = isUrl ? new URL(String(first)) : toUrl(options, protocol);
  if (isUrl && options.path) url.href = new URL(options.path, url.origin).href;
  return { url, options, listener };
}

function toUrl({ protocol, hostname, host, port, path }: RequestOptions, defaultProtocol: string): URL {
  if (/^https?:/.test(path ?? '')) throw createUnsupportedError('the option proxy');
  const name = hostname ?? host ?? 'localhost';
  const isAddress6 = name.includes(':') && !name.startsWith('[') && name.split(':').length > 2;
  const authority = `${isAddress6 ? `[${name}]` : name.replace(/:\d+$/, '')}${port ? `:${port}` : ''}`;
  return new URL(`${protocol ?? defaultProtocol}//${authority}${path ?? '/'}`);
}

const globalAgent = new Agent();
defaults.agent = globalAgent;

/** Creates what `http` and `https` have in common. @param protocol of a request that has neither URL nor protocol */
export function createClient(protocol: 'http:' | 'https:') {
  const request = (...args: unknown[]): ClientRequest => new ClientRequest(parseRequest(args, protocol));
  const get = (...args: unknown[]): ClientRequest => request(...args).end();
  return { Agent, globalAgent, request, get };
}

function createServer(): never {
  throw new Error('A reactor cannot listen for connections.');
}

/** `require('http')`: the client, over the host's `fetch`. */
export default {
  ...createClient('http:'),
  // METHODS and STATUS_CODES
  ...callHost<object>('httpNames'),
  ClientRequest,
  IncomingMessage,
  createServer,
  maxHeaderSize: 16_384,
};
