import type { FastifyRequest } from 'fastify';
import type { HeaderNames } from '../../src/contract/headers.js';
import type { CallerRegistry } from '../access/caller-registry.js';
import type { MaybePromise } from '../lib/maybe-promise.js';
import { findProxyByKey, type ProxyLookup, takeProxyKey } from '../operations/proxies/proxy-key.js';

interface TenantServices extends ProxyLookup {
  headers: HeaderNames;
  callers: Pick<CallerRegistry, 'findByKey'>;
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
    if (key !== undefined) return callers.findByKey(key)?.tenant.id;
    const [, query = ''] = request.url.split('?');
    const proxyKey = headerOf(request, headers.proxyKey) ?? takeProxyKey(query, headers).key;
    if (proxyKey === undefined) return undefined;
    return findProxyByKey(proxyKey, { store }).then((proxy) => proxy?.tenant_id);
  };
}
