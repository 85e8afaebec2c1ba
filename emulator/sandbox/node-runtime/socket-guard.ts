import diagnostics from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { connect, Socket, type TcpSocketConnectOpts } from 'node:net';
import type tls from 'node:tls';
import {
  assertHostAllowed,
  createGuardedLookup,
  findRedirect,
  type NetworkPolicy,
} from '../network/policy.js';
import type { RequestReport } from '../network/request-report.js';

type Connect = (this: Socket, ...args: unknown[]) => Socket;

/** Applies the policy of what runs to every socket of this thread. Code can bypass it: this is no security boundary. */
export function guardSockets(present: () => NetworkPolicy): void {
  const prototype = Socket.prototype as unknown as { connect: Connect };
  const { connect } = prototype;
  prototype.connect = function guardedConnect(...input) {
    const args = normalizeArguments(input);
    const options = findOptions(args);
    if (!options) return connect.apply(this, args);
    const policy = present();
    redirect(options, policy);
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
  connectPlainly(present);
}

const findStub = (policy: NetworkPolicy, { host = 'localhost', port }: TcpSocketConnectOpts) =>
  findRedirect(policy, { hostname: host.toLowerCase(), port: Number(port) });

/** Replaces host and port by those of the stub that stands for the host (`--redirect`). */
function redirect(options: TcpSocketConnectOpts, policy: NetworkPolicy): void {
  const stub = findStub(policy, options);
  if (!stub) return;
  options.host = stub.hostname.replace(/^\[|\]$/g, '');
  options.port = Number(stub.port) || (stub.protocol === 'https:' ? 443 : 80);
}

/** Connects without TLS where code asks for TLS and the stub of the host speaks http. */
function connectPlainly(present: () => NetworkPolicy): void {
  const tls = process.getBuiltinModule('node:tls');
  const { connect: connectEncrypted } = tls;
  tls.connect = ((options: tls.ConnectionOptions & TcpSocketConnectOpts, ...others: unknown[]) => {
    const isTarget = typeof options === 'object' && options.socket === undefined;
    if (!isTarget || findStub(present(), options)?.protocol !== 'http:')
      return Reflect.apply(connectEncrypted, tls, [options, ...others]);
    const { host = 'localhost', port } = options;
    const socket = connect({ host, port });
    socket.once('connect', () => socket.emit('secureConnect'));
    const [listener] = others;
    if (typeof listener === 'function') socket.once('secureConnect', listener as () => void);
    return Object.assign(socket, { encrypted: true, authorized: true });
  }) as typeof tls.connect;
  syncBuiltinESMExports();
}

/** Converts the form `connect(port, host)`, which database clients use, to `connect({ port, host })`. */
function normalizeArguments(args: unknown[]): unknown[] {
  const [port, host, ...others] = args;
  const isPort = typeof port === 'number' || (typeof port === 'string' && Number(port) >= 0);
  if (!isPort) return args;
  return typeof host === 'string' ? [{ port, host }, ...others] : [{ port }, host, ...others];
}

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
