import type { HttpRequest, HttpResponse } from '../sandbox/network/http-client.js';
import type { NetworkPolicy } from '../sandbox/network/policy.js';
import type { InterceptRequest } from '../sandbox/network/request-report.js';
import { type OutboundRequest, type OutboundResponse, type Stub, startStub } from './stub.js';

/** Milliseconds that a request may take: longer than a reactor. */
const TIMEOUT_MS = 210_000;

/** Headers of the connection to the server, which the stub does not pass on. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'transfer-encoding',
]);

/** The hosts that `*` leaves out. */
const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]'];

/** A network policy under which every request is intercepted. */
type Interceptor = { network: NetworkPolicy; stub: Stub };

/** Starts a server that answers in place of all hosts, for runtime `node`, whose requests leave the worker. */
export async function startInterceptor(
  intercept: InterceptRequest,
  network: NetworkPolicy,
  maxBodyBytes: number,
): Promise<Interceptor> {
  const stub = await startStub(async (received) => {
    const request = toHttpRequest(received);
    const send = async () => {
      const { followRedirects } = await import('../sandbox/network/redirects.js');
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      return followRedirects(request, { policy: network, maxBodyBytes, signal });
    };
    return toResponse(await intercept(request, send));
  });
  const redirects = Object.fromEntries([...THIS_MACHINE, '*'].map((host) => [host, stub.url]));
  return { network: { ...network, redirects }, stub };
}

/** The code follows redirects and decompresses bodies itself. */
const toHttpRequest = ({ url, method, headers, bytes }: OutboundRequest): HttpRequest => ({
  ...{ url, method, redirect: 'manual', decompress: false },
  headers: Object.entries(headers).filter(([name]) => name !== 'host' && !OF_CONNECTION.has(name)),
  body: bytes.length > 0 ? bytes : undefined,
});

const toResponse = ({ status, headers, body }: HttpResponse): OutboundResponse => ({
  status,
  headers: Object.fromEntries(headers.filter(([name]) => !OF_CONNECTION.has(name.toLowerCase()))),
  body,
});
