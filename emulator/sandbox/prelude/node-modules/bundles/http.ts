import { EventEmitter } from 'node:events';
import { setGlobalAgent } from '../../bridge/connection-options.js';
import { callHost } from '../../bridge/host-bridge.js';
import { parseRequest } from '../http-options.js';
import { ClientRequest } from '../http-request.js';
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
