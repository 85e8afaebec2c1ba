import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HeaderNames } from '../../src/contract/headers.js';
import { PROXY_METHODS, PROXY_PATH } from '../../src/contract/proxies.js';
import type { Logger } from '../lib/logger.js';
import { SMALL_BYTES } from '../lib/turns.js';
import { forwardable, type ProxyRequest, type ProxyResponse } from '../operations/proxies/message.js';
import { problemBody } from '../problems/problem.js';
import { endWithProblem } from './error-handler.js';
import { disconnectStalled, sendProblem } from './reply.js';
import type { LogRequest } from './request-log.js';
import { recordOf } from './request-properties.js';
import { runSteps, type Step } from './step.js';

export interface ProxyOptions {
  headers: HeaderNames;
  /** The steps before the body is read: faults, rate limit, and the API key if there is one. */
  steps: readonly Step[];
  invokeProxy: (request: ProxyRequest) => Promise<ProxyResponse>;
  logRequest: LogRequest;
  logger: Logger;
}

export async function proxyPlugin(app: FastifyInstance, options: ProxyOptions): Promise<void> {
  const { headers, steps, invokeProxy, logRequest, logger } = options;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, bytes: Buffer) => bytes,
  );
  app.addHook('onRequest', (request, reply, done) => runSteps(steps, request, reply, done));
  app.setErrorHandler(async (error, request, reply) => {
    const problem = await endWithProblem(error, request, reply, logger);
    reply.header(headers.proxyError, 'true');
    // A body that a transform chose is sent as it is.
    const wrapped = problem.body === undefined ? { proxy_error: problemBody(problem, request.id) } : {};
    await sendProblem(reply, problem, request.id, wrapped);
    logRequest(request, reply);
    return reply;
  });
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const response = await invokeProxy(toProxyRequest(request));
    if (response.body.length > SMALL_BYTES) disconnectStalled(reply);
    // The response to HEAD has no body, and none of length 0 either.
    sendProxied(reply, request.method === 'HEAD' ? { ...response, body: undefined } : response, headers);
    logRequest(request, reply);
    return reply;
  };
  for (const url of [PROXY_PATH, `${PROXY_PATH}/*`]) app.route({ method: [...PROXY_METHODS], url, handler });
}

/** Takes the path from the URL as sent: the router has decoded it and dropped a trailing slash. */
function toProxyRequest(request: FastifyRequest): ProxyRequest {
  const { method, url, raw, body, call, id } = request;
  // Without origin, which a request line may have, and the first segment.
  const [path = '', ...query] = url.replace(/^[a-z]+:\/\/[^/?]*/i, '').split('?');
  const headers: [string, string][] = [];
  for (let i = 0; i + 1 < raw.rawHeaders.length; i += 2)
    headers.push([String(raw.rawHeaders[i]), String(raw.rawHeaders[i + 1])]);
  return {
    method,
    path: path.replace(/^\/[^/]*/, ''),
    query: query.join('?'),
    headers,
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    call,
    record: recordOf(request),
    charge: request.charge,
    traceId: id,
  };
}

/** Headers of the response that say who may read it; they are the emulator's. */
const OWN = /^(access-control-|vary$|content-security-policy)/;

function sendProxied(
  reply: FastifyReply,
  { status, headers, body }: Omit<ProxyResponse, 'body'> & { body: Buffer | undefined },
  { traceId, proxyError, proxyDestinationStatus }: HeaderNames,
): void {
  // What only the emulator says: a destination must not pass its response off as a failure of the emulator.
  const own = new Set([traceId.toLowerCase(), proxyError.toLowerCase()]);
  const lines = new Map<string, string[]>();
  // A transform may have set headers of the connection, which would break the response.
  for (const [name, value] of forwardable(headers, own)) {
    const lower = name.toLowerCase();
    if (OWN.test(lower)) continue;
    lines.set(lower, [...(lines.get(lower) ?? []), value]);
  }
  for (const [name, values] of lines) reply.header(name, values.length === 1 ? values[0] : values);
  reply
    .code(status)
    .header(proxyDestinationStatus, String(status))
    // A page of the destination must not run with the origin of the emulator and its dashboard.
    .header('content-security-policy', 'sandbox')
    .send(body);
}
