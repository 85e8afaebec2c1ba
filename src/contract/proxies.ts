import { defineOperation, METHODS } from './operation.js';

/**
 * Proxies: extensions of the specification; decided, Newer generation. Requests through a proxy have any body, and are
 * therefore no rows: `PROXY_PATH`.
 */
export const proxyOperations = {
  'proxies.create': defineOperation({
    method: 'POST',
    path: '/proxies',
    permission: 'proxy:create',
    summary: 'Create a proxy',
    success: [201],
    source: 'extension',
    body: 'json',
  }),
  'proxies.list': defineOperation({
    method: 'GET',
    path: '/proxies',
    permission: 'proxy:read',
    summary: 'List proxies',
    success: [200],
    returns: 'page',
    source: 'extension',
  }),
  'proxies.get': defineOperation({
    method: 'GET',
    path: '/proxies/{id}',
    permission: 'proxy:read',
    summary: 'Get a proxy',
    success: [200],
    source: 'extension',
    uuid: true,
  }),
  'proxies.replace': defineOperation({
    method: 'PUT',
    path: '/proxies/{id}',
    permission: 'proxy:update',
    summary: 'Replace a proxy; its key stays',
    success: [200],
    source: 'extension',
    body: 'json',
    uuid: true,
  }),
  'proxies.update': defineOperation({
    method: 'PATCH',
    path: '/proxies/{id}',
    permission: 'proxy:update',
    summary: 'Update a proxy by merge patch (RFC 7386)',
    success: [204],
    source: 'extension',
    body: 'merge-patch',
    uuid: true,
  }),
  'proxies.delete': defineOperation({
    method: 'DELETE',
    path: '/proxies/{id}',
    permission: 'proxy:delete',
    summary: 'Delete a proxy',
    success: [204],
    source: 'extension',
    uuid: true,
  }),
};

/** Requests to this path and below go through a proxy: `/proxy`, `/proxy/charges?x=1`. */
export const PROXY_PATH = '/proxy';

/** The methods of requests through a proxy. */
export const PROXY_METHODS = [...METHODS, 'HEAD', 'OPTIONS'] as const;

/** Whether a request to this path, with or without a query, goes through a proxy. */
export function isProxied(path: string): boolean {
  return new RegExp(`^${PROXY_PATH}(?:[/?]|$)`).test(path);
}
