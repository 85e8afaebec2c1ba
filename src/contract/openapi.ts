import * as z from 'zod';
import {
  DEFAULT_HEADER_PREFIX,
  headerNames,
  JSON_CONTENT_TYPE,
  MERGE_PATCH_CONTENT_TYPE,
  PROBLEM_CONTENT_TYPE,
} from './headers.js';
import { METHODS, type OperationRow, problemsOf } from './operation.js';
import { OPERATION_IDS, type OperationId, operationRow } from './operations.js';
import { PROBLEMS } from './problems.js';
import { PROXY_PATH } from './proxies.js';
import { operationSchemas } from './schemas/index.js';

type Json = Record<string, unknown>;

const STATUS_WORDS: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No content',
};

const problemSchema = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  instance: z.string(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
});

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    unrepresentable: 'any',
    io,
  });
  return rest;
}

function parameters(id: OperationId, row: OperationRow): Json[] {
  const path = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: row.uuid ? { type: 'string', format: 'uuid' } : { type: 'string' },
  }));
  const query = jsonSchema(operationSchemas(id).query, 'output');
  const properties = (query.properties ?? {}) as Record<string, Json>;
  return [...path, ...Object.entries(properties).map(([name, schema]) => queryParameter(name, schema, row))];
}

function queryParameter(name: string, schema: Json, row: OperationRow): Json {
  // OpenAPI cannot describe `name.key=value`; a free-form object of strings is closest.
  const isMap = row.queryMaps?.includes(name);
  const description = isMap ? `Sent as ${name}.<key>=<value>, once per key.` : undefined;
  return { name, in: 'query', required: false, schema, ...(description && { description }) };
}

function requestBody(id: OperationId, row: OperationRow): Json | undefined {
  const body = operationSchemas(id).body;
  if (!row.body || !body) return undefined;
  const type = row.body === 'merge-patch' ? MERGE_PATCH_CONTENT_TYPE : JSON_CONTENT_TYPE;
  return { required: true, content: { [type]: { schema: jsonSchema(body, 'input') } } };
}

const CODE_ERROR: Json = {
  description: "An error that the reactor's code threw, with its own status",
  content: {
    [PROBLEM_CONTENT_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } },
    [JSON_CONTENT_TYPE]: { schema: {} },
  },
};

function responses(id: OperationId, row: OperationRow): Json {
  const result: Json = {};
  for (const status of row.success) {
    const schema = operationSchemas(id).responses[status];
    const content =
      schema && !(schema instanceof z.ZodUndefined)
        ? { [JSON_CONTENT_TYPE]: { schema: jsonSchema(schema, 'output') } }
        : undefined;
    result[status] = { description: STATUS_WORDS[status] ?? 'Success', ...(content && { content }) };
  }
  for (const name of problemsOf(row)) {
    const { status, title } = PROBLEMS[name];
    result[status] ??= {
      description: title,
      content: { [PROBLEM_CONTENT_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
    };
  }
  if (row.codeErrors) result.default = CODE_ERROR;
  return result;
}

function operationObject(id: OperationId): Json {
  const row = operationRow(id);
  const body = requestBody(id, row);
  return {
    operationId: id,
    summary: row.summary,
    tags: [row.path.replace('/v2/', '/').split('/')[1]],
    ...(row.permission && { 'x-permission': row.permission }),
    'x-source': row.source,
    parameters: parameters(id, row),
    ...(body && { requestBody: body }),
    responses: responses(id, row),
  };
}

/** Describes requests through a proxy: any body goes to the destination, any response comes back. */
function proxyPath(headers: readonly string[]): Json {
  const operation = (method: string): Json => ({
    operationId: `proxy.${method}`,
    summary: 'Send a request through a proxy; paths below go to the destination, too',
    tags: ['proxies'],
    'x-permission': 'token:use',
    'x-source': 'extension',
    parameters: headers.map((name) => ({ name, in: 'header', required: false, schema: { type: 'string' } })),
    ...(method !== 'get' && { requestBody: { required: false, content: { '*/*': { schema: {} } } } }),
    responses: {
      default: {
        description: 'The response of the destination, or a problem',
        content: { '*/*': { schema: {} } },
      },
    },
  });
  return Object.fromEntries(METHODS.map((method) => [method.toLowerCase(), operation(method.toLowerCase())]));
}

/**
 * Generates the OpenAPI 3.1 document of the service from the table of operations.
 * @param options.prefix prefix of the service's headers, `SVC` by default.
 */
export function openApiDocument(
  options: { prefix?: string; version?: string; serverUrl?: string } = {},
): Json {
  const paths: Record<string, Json> = {};
  for (const id of OPERATION_IDS) {
    const row = operationRow(id);
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: operationObject(id) };
  }
  const { apiKey, proxyKey, proxyUrl } = headerNames(options.prefix ?? DEFAULT_HEADER_PREFIX);
  paths[PROXY_PATH] = proxyPath([proxyKey, proxyUrl]);
  return {
    openapi: '3.1.0',
    info: { title: 'Tokenization service', version: options.version ?? '1.0.0' },
    servers: [{ url: options.serverUrl ?? '/' }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: apiKey } },
      schemas: { Problem: jsonSchema(problemSchema, 'output') },
    },
  };
}
