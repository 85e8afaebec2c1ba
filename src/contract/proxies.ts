import { defineOperation, METHODS } from './operation-row.js';
import { resourceOperations } from './resource-operations.js';

const proxies = resourceOperations('proxies', 'proxy', 'extension');

/**
 * Proxies: extensions of the specification; decided, Newer generation. Requests through a proxy have any body, and are
 * therefore no rows: `PROXY_PATH`.
 */
export const proxyOperations = {
  'proxies.create': defineOperation({ ...proxies.create, summary: 'Create a proxy' }),
  'proxies.list': defineOperation({ ...proxies.list, summary: 'List proxies' }),
  'proxies.get': defineOperation({ ...proxies.get, summary: 'Get a proxy' }),
  'proxies.replace': defineOperation({ ...proxies.replace, summary: 'Replace a proxy; its key stays' }),
  'proxies.update': defineOperation({
    ...proxies.update,
    summary: 'Update a proxy by merge patch (RFC 7386)',
  }),
  'proxies.delete': defineOperation({ ...proxies.delete, summary: 'Delete a proxy' }),
};

/** Requests to this path and below go through a proxy: `/proxy`, `/proxy/charges?x=1`. */
export const PROXY_PATH = '/proxy';

/** The methods of requests through a proxy. */
export const PROXY_METHODS = [...METHODS, 'HEAD', 'OPTIONS'] as const;

/** Whether a request to this path, with or without a query, goes through a proxy. */
export function isProxied(path: string): boolean {
  return new RegExp(`^${PROXY_PATH}(?:[/?]|$)`).test(path);
}
