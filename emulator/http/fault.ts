import { STATUS_CODES } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Fault } from '../../src/contract/control/faults.js';
import type { HeaderNames } from '../../src/contract/headers.js';
import type { CallerRegistry } from '../access/caller-registry.js';
import type { MaybePromise } from '../lib/maybe-promise.js';
import { pathOf } from '../lib/request-path.js';
import { findProxyByKey, type ProxyLookup, takeProxyKey } from '../operations/proxy-record.js';
import { ProblemError } from '../problems/problem.js';
import type { FaultInjector } from '../services/fault-injector.js';
import type { Step } from './step.js';

/** Applies the first fault that matches. @param tenantOf finds the tenant of a request that is not authenticated yet */
export function applyFault(
  faults: Pick<FaultInjector, 'match'>,
  tenantOf: (request: FastifyRequest) => MaybePromise<string | undefined>,
): Step {
  return (request, reply) => {
    const { operation, method, url } = request;
    const target = { operation, method, path: pathOf(url), tenantId: () => tenantOf(request) };
    const fault = faults.match(target);
    const run = async (found: Fault | undefined) => {
      if (!found) return;
      request.tenantId = await tenantOf(request);
      await apply(found, request, reply);
    };
    if (fault instanceof Promise) return fault.then(run);
    return fault && run(fault);
  };
}

async function apply(
  { latency_ms, reset, status, retry_after, activation }: Fault,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (activation) {
    request.activation = { delayMs: latency_ms ?? 0, fails: status !== undefined };
    return;
  }
  if (latency_ms !== undefined) await delay(latency_ms);
  if (reset) {
    reply.hijack();
    request.raw.socket.destroy();
  } else if (status !== undefined) throw injectedProblem(status, retry_after);
}

function injectedProblem(status: number, retryAfter: number | undefined): ProblemError {
  return new ProblemError('unavailable', 'This response comes from a fault injected into the emulator.', {
    status,
    title: STATUS_CODES[status] ?? 'Fault',
    ...(retryAfter !== undefined && { headers: { 'Retry-After': String(retryAfter) } }),
  });
}

interface TenantServices extends ProxyLookup {
  headers: HeaderNames;
  callers: Pick<CallerRegistry, 'findByKey' | 'findOpener'>;
}

/** Creates a function that finds the tenant of a request by its API key, or by the key of its proxy. */
export function createTenantFinder({
  headers,
  callers,
  store,
}: TenantServices): (request: FastifyRequest) => MaybePromise<string | undefined> {
  const headerOf = (request: FastifyRequest, name: string): string | undefined => {
    const value = request.headers[name.toLowerCase()];
    return typeof value === 'string' ? value : undefined;
  };
  return (request) => {
    const key = headerOf(request, headers.apiKey);
    if (key !== undefined) return (callers.findByKey(key) ?? callers.findOpener(key))?.tenant.id;
    const [, query = ''] = request.url.split('?');
    const proxyKey = headerOf(request, headers.proxyKey) ?? takeProxyKey(query, headers).key;
    if (proxyKey === undefined) return undefined;
    return findProxyByKey(proxyKey, { store }).then((proxy) => proxy?.tenant_id);
  };
}
