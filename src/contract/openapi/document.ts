import { DEFAULT_HEADER_PREFIX, type HeaderNames, headerNames } from '../headers.js';
import { OPERATION_IDS, operationRow } from '../operations.js';
import type { ProblemName } from '../problems.js';
import { PROXY_METHODS, PROXY_PATH } from '../proxies.js';
import { Components, type Json } from './components.js';
import { openApiTags, operationObject, problem, problemResponses } from './operation.js';

export interface OpenApiOptions {
  /** Prefix of the service's headers. Default `SVC`. */
  prefix?: string;
  version?: string;
  /** Base URL of the service. Default: where the document came from. */
  serverUrl?: string;
}

export function openApiDocument(options: OpenApiOptions = {}): Json {
  const components = new Components();
  const names = headerNames(options.prefix ?? DEFAULT_HEADER_PREFIX);
  const paths: Record<string, Json> = {};
  for (const id of OPERATION_IDS) {
    const row = operationRow(id);
    paths[row.path] = {
      ...paths[row.path],
      [row.method.toLowerCase()]: operationObject(id, components, names),
    };
  }
  paths[PROXY_PATH] = proxyPath(names, components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tokenization service',
      version: options.version ?? '1.0.0',
      description: 'Stores sensitive data as tokens, and runs code on it.',
      contact: { name: 'The operator of the service' },
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.serverUrl ?? '/' }],
    security: [{ apiKey: [] }],
    tags: openApiTags(),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: names.apiKey,
          description: 'The key of an application.',
        },
      },
      schemas: components.schemas,
    },
  };
}

const ANYTHING = { '*/*': { schema: {} } };

/** The emulator's own failures; 400 may come from the destination, too. */
const PROXY_PROBLEMS: readonly ProblemName[] = [
  'validation',
  'unauthenticated',
  'forbidden',
  'notFound',
  'bodyTooLarge',
  'rateLimited',
  'internal',
  'destinationUnreachable',
  'unavailable',
  'destinationTimeout',
];

const proxyProblem = problem.extend({ proxy_error: problem }).meta({
  id: 'ProxyProblem',
  description: 'Why a request did not reach its destination. `proxy_error` is a copy of the rest.',
});

/** Describes requests through a proxy: any body goes to the destination, any response comes back. */
function proxyPath({ proxyKey, proxyUrl }: HeaderNames, components: Components): Json {
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
      ...problemResponses(PROXY_PROBLEMS, proxyProblem, components),
      default: { description: 'The response of the destination, or a problem', content: ANYTHING },
    },
  });
  return Object.fromEntries(
    PROXY_METHODS.map((method) => [method.toLowerCase(), operation(method.toLowerCase())]),
  );
}
