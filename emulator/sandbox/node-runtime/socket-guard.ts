import diagnostics from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Socket, type TcpSocketConnectOpts } from 'node:net';
import { assertHostAllowed, createGuardedLookup } from '../network/connection-guard.js';
import type { NetworkPolicy } from '../network/policy.js';
import type { RequestReport } from '../network/request-report.js';

type Connect = (this: Socket, ...args: unknown[]) => Socket;

/** Applies the network policy to every socket of this thread. Reactor code can bypass it: this is not a security boundary. */
export function guardSockets(policy: NetworkPolicy): void {
  const prototype = Socket.prototype as unknown as { connect: Connect };
  const { connect } = prototype;
  prototype.connect = function guardedConnect(...input) {
    const args = normalizeArguments(input);
    const options = findOptions(args);
    if (!options) return connect.apply(this, args);
    const { host = 'localhost', port } = options;
    try {
      assertHostAllowed({ policy }, host, Number(port));
    } catch (error) {
      process.nextTick(() => this.destroy(error as Error));
      return this;
    }
    options.lookup = createGuardedLookup({ policy }, Number(port));
    return connect.apply(this, args);
  };
}

/** Converts the form `connect(port, host)`, which database clients use, to `connect({ port, host })`. */
function normalizeArguments(args: unknown[]): unknown[] {
  const [port, host, ...others] = args;
  const isPort = typeof port === 'number' || (typeof port === 'string' && Number(port) >= 0);
  if (!isPort) return args;
  return typeof host === 'string' ? [{ port, host }, ...others] : [{ port }, host, ...others];
}

/** Returns the options object of a TCP connection; undefined for a pipe. */
function findOptions(args: unknown[]): TcpSocketConnectOpts | undefined {
  const [first] = args;
  const options = (Array.isArray(first) ? first[0] : first) as TcpSocketConnectOpts | undefined;
  return typeof options === 'object' && options !== null && 'port' in options ? options : undefined;
}

/** Reports requests sent through `http` and `https`, without bodies. */
export function reportRequests(report: (request: RequestReport) => void): void {
  diagnostics.subscribe('http.client.request.start', (message) => {
    const { request } = message as { request: ClientRequest };
    const startedAt = performance.now();
    const describeRequest = () => ({
      method: request.method,
      url: `${request.protocol}//${request.host}${request.path}`,
      durationMs: performance.now() - startedAt,
      requestHeaders: stringifyValues(request.getHeaders()),
    });
    request.once('response', (response: IncomingMessage) => {
      const { statusCode = 0, headers } = response;
      report({ ...describeRequest(), status: statusCode, responseHeaders: stringifyValues(headers) });
    });
    request.once('error', ({ message: error }) =>
      report({ ...describeRequest(), error, responseHeaders: {} }),
    );
  });
}

const stringifyValues = (headers: object): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
