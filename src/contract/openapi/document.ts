import { DEFAULT_HEADER_PREFIX, headerNames } from '../headers.js';
import { OPERATION_IDS, operationRow } from '../operations.js';
import { PROXY_PATH } from '../proxies.js';
import { Components, type Json } from './components.js';
import { operationObject } from './operation.js';
import { proxyPath } from './proxy-path.js';
import { openApiTags } from './tags.js';

export interface OpenApiOptions {
  /** Prefix of the service's headers. Default `SVC`. */
  prefix?: string;
  version?: string;
  /** Base URL of the service. Default: where the document came from. */
  serverUrl?: string;
}

/** Generates the OpenAPI 3.1 document of the service from the table of operations. */
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
  const { apiKey, proxyKey, proxyUrl } = names;
  paths[PROXY_PATH] = proxyPath({ proxyKey, proxyUrl }, components);
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
        apiKey: { type: 'apiKey', in: 'header', name: apiKey, description: 'The key of an application.' },
      },
      schemas: components.schemas,
    },
  };
}
