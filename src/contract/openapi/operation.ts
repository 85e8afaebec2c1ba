import * as z from 'zod';
import { type HeaderNames, JSON_CONTENT_TYPE, PROBLEM_CONTENT_TYPE } from '../headers.js';
import { RATE_LIMITS } from '../limits.js';
import { contentTypeOf, type OperationRow, problemsOf } from '../operation-row.js';
import { type OperationId, operationRow, pathParametersOf } from '../operations.js';
import { isPermission, PERMISSIONS } from '../permissions.js';
import { PROBLEMS, type ProblemName } from '../problems.js';
import { RESOURCES } from '../resources.js';
import { object } from '../schemas/common.js';
import { operationSchemas } from '../schemas/index.js';
import type { Components, Json } from './components.js';

/** What the operations of a tag are about; the tag is the first segment of their path. */
const TAGS: Readonly<Record<string, string>> = {
  tokens: 'Sensitive data, stored under an id that is safe to keep and to pass on.',
  'token-intents': 'Data that can become a token within 24 hours.',
  sessions: 'Keys for pages, which may do what a server grants them.',
  keys: 'Keys to encrypt token data with.',
  documents: 'Files, stored as the data of tokens.',
  enrichments: 'What is known of cards and bank accounts.',
  tokenize: 'Create tokens from any JSON.',
  detokenize: 'Replace the expressions in any JSON by token data.',
  ...Object.fromEntries(Object.values(RESOURCES).map(({ collection, about }) => [collection, about])),
  'application-templates': 'What applications of a kind may do.',
  permissions: 'What applications can be allowed to do.',
  logs: 'The audit log.',
  tenants: 'The account: its settings and its usage.',
  ping: 'Whether the service answers.',
};

const STATUS_WORDS: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No content',
};

export const problem = object('Problem', 'Why a request failed (RFC 9457).', {
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  instance: z.string().describe('The trace id of the request.'),
  errors: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe('Messages by property path, or under `error` for a reactor.'),
});

export const openApiTags = (): { name: string; description: string }[] =>
  Object.entries(TAGS).map(([name, description]) => ({ name, description }));

export function operationObject(id: OperationId, components: Components, names: HeaderNames): Json {
  const row = operationRow(id);
  const body = requestBody(id, row, components);
  return {
    operationId: id,
    summary: row.summary,
    description: describeOperation(row),
    tags: [row.path.replace(/^\/v2\//, '/').split('/')[1] ?? ''],
    ...(isPermission(row.permission) && { 'x-permission': row.permission }),
    'x-source': row.source,
    parameters: [...pathParameters(row), ...queryParameters(id, components)],
    ...(body && { requestBody: body }),
    responses: responses(id, row, components, names),
  };
}

const SOURCES = {
  specified: '',
  decided: 'The specification names it without a shape.',
  extension: 'Not part of the specification.',
};

function describeOperation({ summary, permission, orPermission, rateScope, source }: OperationRow): string {
  const limit = rateScope && RATE_LIMITS[rateScope];
  return [
    `${summary}.`,
    isPermission(permission)
      ? `Needs the permission \`${permission}\`${orPermission ? ` or \`${orPermission}\`` : ''}: ${PERMISSIONS[permission].allows}.`
      : `Any ${permission ?? 'valid'} key may call it.`,
    limit ? `At most ${limit.requests} requests in ${limit.windowSeconds} seconds from one address.` : '',
    SOURCES[source],
  ]
    .filter(Boolean)
    .join(' ');
}

function pathParameters(row: OperationRow): Json[] {
  return pathParametersOf(row.path).map((name) => ({
    name,
    in: 'path',
    description: pathDescription(row, name),
    required: true,
    schema: row.uuid ? { type: 'string', format: 'uuid' } : { type: 'string' },
  }));
}

/** Names the noun of the path segment before: `/reactors/{id}` → `reactor`. */
function pathDescription({ path }: OperationRow, name: string): string {
  const noun = new RegExp(`(\\w+)/\\{${name}\\}`).exec(path)?.[1] ?? '';
  return `Id of the ${noun.replace(/ies$/, 'y').replace(/s$/, '')}.`;
}

function requestBody(id: OperationId, row: OperationRow, components: Components): Json | undefined {
  const { body, documentedBody = body } = operationSchemas(id);
  if (!row.body || !documentedBody) return undefined;
  return {
    required: !row.optionalBody,
    content: { [contentTypeOf(row)]: { schema: components.convert(documentedBody, 'input') } },
  };
}

/** Status, headers and body are the code's choice, so that no schema holds for them. */
const CODE_ERROR: Json = {
  description: "The response that the reactor's code threw",
  content: { '*/*': { schema: {} } },
};

function responses(id: OperationId, row: OperationRow, components: Components, names: HeaderNames): Json {
  const result: Json = {};
  const headers = responseHeaders(row, names);
  const contentType = row.returns === 'file' ? '*/*' : JSON_CONTENT_TYPE;
  for (const status of row.success) {
    const schema = operationSchemas(id).responses[status];
    const body = schema instanceof z.ZodUndefined ? undefined : schema;
    result[status] = {
      description: STATUS_WORDS[status] ?? 'Success',
      ...(headers && { headers }),
      ...(body && { content: { [contentType]: { schema: components.convert(body, 'output') } } }),
    };
  }
  Object.assign(result, problemResponses(problemsOf(row), problem, components));
  if (row.codeErrors) result.default = CODE_ERROR;
  return result;
}

export function problemResponses(names: readonly ProblemName[], schema: z.ZodType, components: Components) {
  const content = { [PROBLEM_CONTENT_TYPE]: { schema: components.convert(schema, 'output') } };
  // Of several problems with one status, the first describes it.
  const described = names.map((name) => PROBLEMS[name]).reverse();
  return Object.fromEntries(described.map(({ status, title }) => [status, { description: title, content }]));
}

function responseHeaders({ responseHeaders: own }: OperationRow, names: HeaderNames): Json | undefined {
  if (own === undefined) return undefined;
  const described = Object.entries(own) as [keyof HeaderNames, string][];
  return Object.fromEntries(
    described.map(([name, description]) => [names[name], { description, schema: { type: 'string' } }]),
  );
}

function queryParameters(id: OperationId, components: Components): Json[] {
  const { queryMaps = [] } = operationRow(id);
  const { properties = {} } = components.convert(operationSchemas(id).query, 'output');
  return Object.entries(properties as Record<string, Json>).map(([name, { description, ...schema }]) => ({
    ...{ name, in: 'query', description, required: false, schema },
    ...(queryMaps.includes(name) && deepObject({ name, description })),
  }));
}

/** `metadata[<key>]=value`, which is the same as `metadata.<key>=value`. OpenAPI has no style for the latter. */
function deepObject({ name, description }: Json): Json {
  return {
    style: 'deepObject',
    explode: true,
    description: `${description} Sent as \`${name}[<key>]=<value>\` or \`${name}.<key>=<value>\`.`,
    example: { order: '7' },
  };
}
