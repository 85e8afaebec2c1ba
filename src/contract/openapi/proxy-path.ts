import { PROXY_METHODS } from '../proxies.js';
import type { Json } from './components.js';

const ANYTHING = { '*/*': { schema: {} } };

/** Describes requests through a proxy: any body goes to the destination, any response comes back. */
export function proxyPath({ proxyKey, proxyUrl }: { proxyKey: string; proxyUrl: string }): Json {
  const parameters = [
    { name: proxyKey, in: 'header', description: 'The key of the proxy that handles the request.' },
    { name: proxyUrl, in: 'header', description: 'Where the request goes, without a proxy.' },
  ].map((parameter) => ({ ...parameter, required: false, schema: { type: 'string' } }));
  const operation = (method: string): Json => ({
    operationId: `proxy.${method}`,
    summary: `Send a ${method.toUpperCase()} request through a proxy`,
    description:
      'Sends a request to its destination, with the expressions in path, query, headers and body replaced by token data. Paths below this one go to the destination, too. Needs the permission `token:use` where the proxy requires a key. Not part of the specification.',
    tags: ['proxies'],
    'x-permission': 'token:use',
    'x-source': 'extension',
    parameters,
    ...(!['get', 'head'].includes(method) && { requestBody: { required: false, content: ANYTHING } }),
    // Statuses of their own, because generators do not know ranges such as 4XX.
    responses: {
      200: { description: 'The response of the destination', content: ANYTHING },
      400: { description: 'The response of the destination, or a problem', content: ANYTHING },
      default: { description: 'The response of the destination, or a problem', content: ANYTHING },
    },
  });
  return Object.fromEntries(
    PROXY_METHODS.map((method) => [method.toLowerCase(), operation(method.toLowerCase())]),
  );
}
