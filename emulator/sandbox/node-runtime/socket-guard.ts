import diagnostics from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Socket, type TcpSocketConnectOpts } from 'node:net';
import type { OutboundRequest } from '../invocation.js';
import { assertHostAllowed, createGuardedLookup } from '../network/connection-guard.js';
import type { NetworkPolicy } from '../network/policy.js';

type Connect = (this: Socket, ...args: unknown[]) => Socket;

/** Puts every connection of this thread under the policy, whichever package opens it. A default, not a wall: see `NodeGuest`. */
export function guardSockets(policy: NetworkPolicy): void {
  const prototype = Socket.prototype as unknown as { connect: Connect };
  const { connect } = prototype;
  prototype.connect = function guarded(...given) {
    const args = normalizeArguments(given);
    const options = findOptions(args);
    if (!options) return connect.apply(this, args);
    const { host = 'localhost', port } = options;
    try {
      assertHostAllowed(policy, host, Number(port));
    } catch (error) {
      process.nextTick(() => this.destroy(error as Error));
      return this;
    }
    options.lookup = createGuardedLookup(policy, Number(port));
    return connect.apply(this, args);
  };
}

/** A port and the host after it, as clients of databases give them, as the options that they stand for. */
function normalizeArguments(args: unknown[]): unknown[] {
  const [port, host, ...others] = args;
  const isPort = typeof port === 'number' || (typeof port === 'string' && Number(port) >= 0);
  if (!isPort) return args;
  return typeof host === 'string' ? [{ port, host }, ...others] : [{ port }, host, ...others];
}

/** The options object, in the forms that Node.js itself calls `connect` with; undefined for pipes. */
function findOptions(args: unknown[]): TcpSocketConnectOpts | undefined {
  const [first] = args;
  const options = (Array.isArray(first) ? first[0] : first) as TcpSocketConnectOpts | undefined;
  return typeof options === 'object' && options !== null && 'port' in options ? options : undefined;
}

type Report = (request: Omit<OutboundRequest, 'traceId' | 'reactorId'>) => void;

/** Reports what goes out through `http`, `https` and `fetch`, without bodies. */
export function reportRequests(report: Report): void {
  diagnostics.subscribe('http.client.request.start', (message) => {
    const { request } = message as { request: ClientRequest };
    const began = performance.now();
    const common = () => ({
      method: request.method,
      url: `${request.protocol}//${request.host}${request.path}`,
      durationMs: performance.now() - began,
      requestHeaders: stringifyValues(request.getHeaders()),
    });
    request.once('response', (response: IncomingMessage) => {
      const { statusCode = 0, headers } = response;
      report({ ...common(), status: statusCode, responseHeaders: stringifyValues(headers) });
    });
    request.once('error', ({ message: error }) => report({ ...common(), error, responseHeaders: {} }));
  });
}

const stringifyValues = (headers: object): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
