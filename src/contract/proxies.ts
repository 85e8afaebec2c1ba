import { METHODS } from './operation-row.js';
import { resourceOperations } from './resource-operations.js';
import { proxy } from './resources.js';

const proxies = resourceOperations(proxy);

/** Proxies: extensions; decided, Newer generation. Requests through one have any body, and are no rows: `PROXY_PATH`. */
export const proxyOperations = {
  ...proxies,
  'proxies.replace': { ...proxies['proxies.replace'], summary: 'Replace a proxy; its key stays' },
} as const;

/** Requests to this path and below go through a proxy: `/proxy`, `/proxy/charges?x=1`. */
export const PROXY_PATH = '/proxy';

export const PROXY_METHODS = [...METHODS, 'HEAD', 'OPTIONS'] as const;

/** Whether a request to this path, with or without a query, goes through a proxy. */
export const isProxied = (path: string): boolean => new RegExp(`^${PROXY_PATH}(?:[/?]|$)`).test(path);
