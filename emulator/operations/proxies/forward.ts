import { CONNECTION_WORDS } from '../../../src/contract/connection-words.js';
import { LIMITS } from '../../../src/contract/limits.js';
import { ProblemError, problem, validationProblem } from '../../problems/problem.js';
import { type HttpRequest, sendRequest } from '../../sandbox/network/http-client.js';
import type { NetworkPolicy } from '../../sandbox/network/policy.js';
import { type Charge, COSTS } from '../../services/admission.js';
import type { Call, Context } from '../context.js';
import type { OutgoingRequest } from './detokenize-request.js';
import { forwardable, type ProxyResponse } from './message.js';

const DESTINATION_TIMEOUT_MS = 25_000;

/** A request to a destination, with the certificate that it is shown. */
type ForwardedRequest = OutgoingRequest & Pick<HttpRequest, 'connection'>;

/** Forwards a request and records its span. Redirects are not followed. @throws ProblemError 408, 502, 503 */
export async function forward(
  destination: string,
  request: ForwardedRequest,
  charge: Pick<Charge, 'raise'>,
  { record, tenant }: Call,
  { clock, leakWatch, redirects }: Context,
): Promise<ProxyResponse> {
  const url = joinUrl(destination, request.path, request.query);
  // A destination is meant to receive token data, but servers write URLs to their logs.
  leakWatch?.observe(`URL of a request of a proxy to ${new URL(url).origin}`, url);
  const start = performance.now();
  const time = clock.timestamp();
  const note = (status?: number, error?: string) => {
    const durationMs = performance.now() - start;
    const { method } = request;
    record.recordProxied(tenant.id, time, { method, url: destination, durationMs, status }, error);
  };
  try {
    const response = await send(url, request, charge, redirects.networkOf(tenant.id));
    note(response.status);
    return response;
  } catch (error) {
    note(undefined, error instanceof Error ? error.message : undefined);
    throw error;
  }
}

async function send(
  url: string,
  { method, headers, body, ...rest }: ForwardedRequest,
  charge: Pick<Charge, 'raise'>,
  policy: NetworkPolicy,
): Promise<ProxyResponse> {
  const signal = AbortSignal.timeout(DESTINATION_TIMEOUT_MS);
  // A destination may send without end, and slowly, to any number of requests.
  const admitBody = (bytes: number) => charge.raise(bytes * COSTS.received);
  const hasBody = body.length > 0 || !['GET', 'HEAD'].includes(method);
  const sent = {
    ...{ ...rest, url, method, body: hasBody ? body : undefined, redirect: 'manual' as const },
    headers: forwardable(headers, NOT_SENT).map(([name, value]): [string, string] => [name, value]),
  };
  const limits = { policy, httpToLoopbackOnly: true, signal, maxBodyBytes: LIMITS.responseBytes, admitBody };
  try {
    const { status, headers, body } = await sendRequest(sent, limits);
    if (status > HIGHEST_STATUS) throw new Error(`The server answered with status ${status}.`);
    return { status, headers: forwardable(headers, NOT_RETURNED), body: Buffer.from(body) };
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    if (signal.aborted) {
      const detail = `The destination did not answer within ${DESTINATION_TIMEOUT_MS} ms.`;
      throw problem('destinationTimeout', detail);
    }
    const { code = '', message } = error as NodeJS.ErrnoException;
    const { host, hostname } = new URL(url);
    const words = CONNECTION_WORDS[code]?.(host, hostname);
    const reason = words === undefined ? `: ${message}` : `. ${words}`;
    throw problem('destinationUnreachable', `The destination could not be reached${reason}`);
  }
}

const HIGHEST_STATUS = 599;

/** Without it, destinations do not compress. */
const NOT_SENT: ReadonlySet<string> = new Set(['accept-encoding']);
/** The body has been decompressed. */
const NOT_RETURNED: ReadonlySet<string> = new Set(['content-encoding']);

/** Appends path and query to the destination, whose own query stays. @throws ProblemError 400 if that leads out of it */
function joinUrl(destination: string, path: string, query: string): string {
  const base = new URL(destination);
  const search = [base.search.slice(1), query].filter((part) => part !== '').join('&');
  const basePath = base.pathname.replace(/\/$/, '');
  const suffix = path === '' || path.startsWith('/') ? path : `/${path}`;
  const url = new URL(`${base.origin}${basePath}${suffix}${search && `?${search}`}`);
  if (url.pathname !== basePath && !url.pathname.startsWith(`${basePath}/`))
    throw validationProblem({ path: ['must not lead out of the destination'] });
  return url.href;
}
