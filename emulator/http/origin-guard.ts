import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONTROL_PREFIX } from '../../src/contract/control/endpoints.js';
import type { HeaderNames } from '../../src/contract/headers.js';
import { OPERATION_IDS, operationRow } from '../../src/contract/operations.js';
import { problem, validationProblem } from '../problems/problem.js';
import type { AllowedOrigins } from '../services/allowed-origins.js';
import type { Step } from './step.js';

export interface OriginPolicy {
  /** The address that the emulator listens on. */
  host: string;
  scheme: 'http' | 'https';
  /** The URL of the emulator for clients, if they have another one. */
  publicUrl?: string | undefined;
  /** Origins whose pages may call the service's operations. */
  origins: Pick<AllowedOrigins, 'allows'>;
}

/**
 * Rejects requests from web pages of other origins with 403, and sets the CORS headers for an allowed origin. A request without
 * exactly one Host is 400 (RFC 9112, section 3.2): a proxy in front may read another one than the emulator.
 */
export function guardHost(headers: HeaderNames, policy: OriginPolicy): Step {
  const classify = createOriginClassifier(policy);
  return (request, reply) => {
    if (!hasOneHost(request.raw)) throw validationProblem({ 'headers.Host': ['must be sent exactly once'] });
    const origin = classify(request.headers);
    if (origin === 'same-origin') return;
    if (origin === 'foreign-host')
      throw problem('foreignOrigin', 'Requests to this Host are not accepted. See --public-url.');
    if (origin === 'cross-origin' || isControl(request))
      throw problem('foreignOrigin', 'Requests from this Origin are not accepted. See --allow-origin.');
    allowOrigin(request, reply, headers);
  };
}

/** HTTP/1.0 knows no Host; a request without one is from a foreign host. */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter(
    (name, i) => i % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host',
  );
  return hosts.length === 1 || (hosts.length === 0 && httpVersion === '1.0');
}

/** Whether it is to a control endpoint, which no other origin may call; also if its path is encoded: `/%5Femulator`. */
function isControl({ url, routeOptions }: FastifyRequest): boolean {
  return url.startsWith(CONTROL_PREFIX) || (routeOptions.url?.startsWith(CONTROL_PREFIX) ?? false);
}

/** `allowed`: a page of another origin that gets CORS headers. `cross-origin`, `foreign-host`: to be rejected. */
type OriginClass = 'same-origin' | 'allowed' | 'cross-origin' | 'foreign-host';

const LOOPBACK_NAMES = new Set(['localhost', '[::1]']);

function isLoopback(name: string): boolean {
  return LOOPBACK_NAMES.has(name) || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name);
}

/** `name:port`, as a Host is. */
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/;

/**
 * Creates a function that classifies a request by its headers. `Origin` reveals a page of another origin. `Host` reveals a
 * page whose own name resolves to this machine (DNS rebinding). An IP address in `Host` cannot be rebound, and is accepted
 * when the emulator listens on more than loopback. Host and origin of the public URL are the emulator's own.
 */
export function createOriginClassifier({
  host,
  scheme,
  publicUrl,
  origins,
}: OriginPolicy): (headers: IncomingHttpHeaders) => OriginClass {
  const listensBeyondLoopback = !isLoopback(host) && host !== '::1';
  const own = publicUrl === undefined ? undefined : new URL(publicUrl);
  const names = new Set([host.toLowerCase(), hostname().toLowerCase()]);

  const isOwnHost = (name: string): boolean =>
    isLoopback(name) ||
    name === own?.hostname ||
    (listensBeyondLoopback && (names.has(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0));

  // A proxy in front may forward the Host of the client, or send its own.
  const isOwnOrigin = (origin: string, hostHeader: string): boolean =>
    origin === own?.origin || origin === `${scheme}://${hostHeader.toLowerCase()}`;

  return ({ host: hostHeader = '', origin }) => {
    const [, name] = HOST.exec(hostHeader.toLowerCase()) ?? [];
    if (name === undefined || !isOwnHost(name)) return 'foreign-host';
    if (origin === undefined || isOwnOrigin(origin.toLowerCase(), hostHeader)) return 'same-origin';
    return origins.allows(origin) ? 'allowed' : 'cross-origin';
  };
}

const MAX_AGE_SECONDS = 600;

const METHODS = [...new Set(OPERATION_IDS.map((id) => operationRow(id).method))].join(', ');

const EXPOSED = [
  'traceId',
  ...OPERATION_IDS.flatMap((id) => Object.keys(operationRow(id).responseHeaders ?? {})),
] as (keyof HeaderNames)[];

export function allowOrigin(request: FastifyRequest, reply: FastifyReply, names: HeaderNames): void {
  reply.headers({
    'access-control-allow-origin': request.headers.origin ?? '',
    'access-control-expose-headers': [...EXPOSED.map((name) => names[name]), 'Retry-After'].join(', '),
    vary: 'Origin',
  });
}

export function answerPreflight({ apiKey, traceId, idempotencyKey }: HeaderNames): Step {
  const usual = `Content-Type, ${apiKey}, ${traceId}, ${idempotencyKey}`;
  return (request, reply) => {
    const { method, headers } = request;
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return;
    // Echoed, since client libraries send headers of their own and the origin has been allowed.
    const requested = headers['access-control-request-headers'];
    reply
      .headers({
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': requested || usual,
        'access-control-max-age': String(MAX_AGE_SECONDS),
        vary: 'Origin, Access-Control-Request-Headers',
      })
      .code(204)
      .send();
  };
}
