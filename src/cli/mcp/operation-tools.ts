import * as z from 'zod';
import { canWrite } from '../../client/client.js';
import {
  OPERATION_IDS,
  type OperationId,
  operationRow,
  pathParametersOf,
} from '../../contract/operations.js';
import { type OperationSchemas, operationSchemas, schemas } from '../../contract/schemas/index.js';
import { createToken } from '../../contract/schemas/tokens.js';
import { parseQuery, type QueryTree } from '../../contract/search-query/parse.js';
import { QuerySyntaxError } from '../../contract/search-query/syntax-error.js';
import { usageError } from '../lib/errors.js';

export interface OperationTool extends Tool {
  operation: OperationId;
  query: z.ZodType;
  body: z.ZodType | undefined;
  agentWrites: boolean;
}

/** Operations that are not offered, with the reason. Those that use token data (`token:use`) are left out as well. */
const WITHHELD: ReadonlySet<OperationId> = new Set([
  // Their responses are keys.
  'applications.regenerate',
  'applications.keys.create',
  'sessions.create',
  // It grants access to whoever has the key of the session.
  'sessions.authorize',
  // The command asks a person to type the name of the tenant.
  'tenants.delete',
  // Any part of its document may be a create request; tokens_create does one.
  'tokenize',
  // Their responses tell the fingerprint and the details of data, whatever its mask.
  'tokenIntents.create',
  'tokenIntents.get',
  // Documents are tokens, which have tools.
  ...(['documents.upload', 'documents.get', 'documents.download', 'documents.delete'] as const),
  // No agent needs made-up issuers or templates.
  ...(['enrichments.cardDetails', 'applicationTemplates.list', 'applicationTemplates.get'] as const),
] satisfies OperationId[]);

/**
 * Whether an agent may call an operation. One that needs `token:use` works with raw data, which a reactor could copy into
 * metadata or other fields that are shown.
 */
function isOffered(id: OperationId, allowWrite: boolean): boolean {
  const row = operationRow(id);
  if (row.permission === 'token:use' || WITHHELD.has(id)) return false;
  return allowWrite || !canWrite(row);
}

const TEXT = { type: 'string' };

/** Path parameters and query parameters are properties of the input, next to `body`. The names of parameters describe them. */
function inputSchema(id: OperationId, queryType: z.ZodType, body?: z.ZodType): Tool['inputSchema'] {
  const row = operationRow(id);
  const path = pathParametersOf(row.path);
  const { properties: query = {} } = jsonSchema(queryType, 'output', ['description']);
  const bodyIsRequired = body !== undefined && !row.optionalBody;
  const required = [...path, ...(bodyIsRequired ? ['body'] : [])];
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(path.map((name) => [name, TEXT])),
      ...(query as object),
      ...(body && { body: bodySchema(id, body) }),
    },
    ...(required.length > 0 && { required }),
  };
}

/** Describes a body for the list of tools. What it has in common with that of a create operation is described there. */
function bodySchema(id: OperationId, body: z.ZodType): JsonSchema {
  const { properties, required } = listedSchema(id, body);
  const create = OPERATION_IDS.find((one) => one === id.replace(/\.(?:replace|update)$/, '.create'));
  const isListed = create !== undefined && create !== id && isOffered(create, true);
  const known = isListed && agentSchemas(create).body;
  const common = known ? listedSchema(create, known).properties : {};
  const names = Object.keys(properties).filter((name) => name in common);
  const own = Object.entries(properties).filter(([name]) => !(name in common));
  const which = names.length === Object.keys(common).length ? '' : `${names.join(', ')} `;
  return {
    type: 'object',
    ...(own.length > 0 && { properties: Object.fromEntries(own) }),
    ...(known ? { description: `${which}as in ${create.replaceAll('.', '_')}` } : required && { required }),
  };
}

/** Returns the schema of a body. What writes is left to the other tool if it is long: an agent reads all tools before its first call. */
function listedSchema(id: OperationId, body: z.ZodType): BodySchema {
  if (!canWrite(operationRow(id))) return jsonSchema(body, 'input') as BodySchema;
  const { properties, required } = jsonSchema(body, 'input', ['description']) as BodySchema;
  const listed = Object.entries(properties).map(([name, property]) => {
    const isLong = !property.enum && JSON.stringify(property).length > MAX_LISTED;
    return [name, isLong ? { type: property.type, description: `see ${SCHEMA_TOOL}` } : property];
  });
  return { properties: Object.fromEntries(listed), ...(required && { required }) };
}

type BodySchema = { properties: Record<string, JsonSchema>; required?: string[] };

const MAX_LISTED = 150;
const SCHEMA_TOOL = 'tool_schema';

export function schemaTool(tools: readonly OperationTool[]): RunnableTool {
  return {
    name: SCHEMA_TOOL,
    description: 'Get the whole JSON Schema of the body that a tool takes.',
    inputSchema: { type: 'object', properties: { tool: TEXT }, required: ['tool'] },
    annotations: { readOnlyHint: true },
    run: async ({ tool }) => {
      const body = tools.find(({ name }) => name === tool)?.body;
      if (!body) throw usageError('tool must be the name of one that takes a body.');
      return z.toJSONSchema(body, DETAILED);
    },
  };
}

function toTool(id: OperationId, agentWrites: boolean): OperationTool {
  const row = operationRow(id);
  const { query, ...schemas } = agentSchemas(id);
  const body = row.body && schemas.body;
  return {
    name: id.replaceAll('.', '_'),
    description: `${row.summary}.`,
    inputSchema: inputSchema(id, query, body),
    // What may write is taken for destructive by default.
    annotations: canWrite(row) ? { destructiveHint: row.method === 'DELETE' } : { readOnlyHint: true },
    operation: id,
    ...{ query, body, agentWrites },
  };
}

/** Creates the tools of the operations that an agent may call. @param allowWrite also those that change something */
export function operationTools(allowWrite: boolean): OperationTool[] {
  return OPERATION_IDS.filter((id) => isOffered(id, allowWrite)).map((id) => toTool(id, allowWrite));
}

/** What schemas say of themselves, without their names: those would become references, which not every client follows. */
const UNNAMED = Object.assign(z.registry<z.GlobalMeta>(), {
  get(schema: z.core.$ZodType): z.GlobalMeta {
    const { id: _, ...meta } = z.globalRegistry.get(schema) ?? {};
    return meta;
  },
});

/** Keywords that agents are spared: a call that breaks them gets an error that says what is accepted. */
const UNLISTED = [
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'default', 'format'],
  ...['minItems', 'maxItems', 'uniqueItems', 'maxProperties', 'propertyNames', 'pattern', 'examples'],
];

type JsonSchema = Record<string, unknown>;

/** Tools that list what a property accepts, by the first of its values. */
const LISTED: Readonly<Record<string, string>> = {
  'token:create': 'permissions_list',
  'token.created': 'webhooks_eventTypes',
};

/** Leaves out that a value may be null or empty, and long enumerations. */
function shorten(part: JsonSchema): void {
  const { anyOf = [], enum: values = [] } = part as { anyOf?: JsonSchema[]; enum?: string[] };
  const [only, ...others] = anyOf.filter((one) => one.type !== 'null' && one.const !== '');
  if (only && others.length === 0) {
    delete part.anyOf;
    Object.assign(part, { ...only, ...part });
  }
  if (Array.isArray(part.type)) [part.type] = part.type;
  const lister = LISTED[values[0] ?? ''];
  if (!lister) return;
  delete part.enum;
  part.description = `see ${lister}`;
}

const DETAILED = { target: 'draft-2020-12', unrepresentable: 'any', metadata: UNNAMED, io: 'input' } as const;

/** Returns the JSON Schema of a schema without references and limits, as an agent reads all of them first. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output', unlisted: readonly string[] = []): JsonSchema {
  const override = ({ jsonSchema: part }: { jsonSchema: JsonSchema }) => {
    for (const keyword of [...UNLISTED, ...unlisted]) delete part[keyword];
    if (Object.keys(Object(part.additionalProperties)).length === 0) delete part.additionalProperties;
    shorten(part);
  };
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { ...DETAILED, io, override });
  return rest;
}

export type Arguments = Readonly<Record<string, unknown>>;

export interface Tool {
  /** `tokens_create` for the operation `tokens.create`. */
  name: string;
  description: string;
  inputSchema: { type: 'object' } & Record<string, unknown>;
  /** What only reads is never destructive. */
  annotations: { readOnlyHint?: boolean; destructiveHint?: boolean };
}

export interface RunnableTool extends Tool {
  /** Returns the answer, which holds nothing that an agent must not see. @throws {CliError | ServiceError} and other client errors */
  run(input: Arguments): Promise<unknown>;
}

/** Properties from which an agent could find out token data: how it is masked, indexed and compared with that of other tokens. */
const DERIVED = {
  mask: true,
  search_indexes: true,
  fingerprint_expression: true,
  deduplicate_token: true,
} as const;

const literalId = createToken.shape.id.refine(
  (id) => !id?.includes('{{'),
  'must be a literal; an agent cannot derive an id from data',
);
const agentToken = createToken.omit(DERIVED).extend({ id: literalId });

const { body: searchTokens } = schemas['tokens.search'];
const query = searchTokens.shape.query.superRefine((text, context) => {
  const problem = queryProblem(text ?? '');
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});

/** What an agent may send, where that is less than the contract accepts. */
const RESTRICTED: { readonly [Id in OperationId]?: Partial<Pick<OperationSchemas, 'query' | 'body'>> } = {
  'tokens.create': { body: agentToken },
  'tokens.update': { body: schemas['tokens.update'].body.omit(DERIVED) },
  'tokens.search': { body: searchTokens.extend({ query }) },
  'tokens.searchByCursor': { body: schemas['tokens.searchByCursor'].body.extend({ query }) },
  'tokens.listByCursor': { query: schemas['tokens.listByCursor'].query.omit({ fingerprint: true }) },
};

function agentSchemas(id: OperationId): Pick<OperationSchemas, 'query' | 'body'> {
  const { query, body } = operationSchemas(id);
  return { query, ...(body && { body }), ...RESTRICTED[id] };
}

/** The fields that an agent may search: those that its answers show. `data` and `fingerprint` would answer questions about token data. */
const FIELDS = ['id', 'type', 'container', 'created_at', 'modified_at', 'created_by', 'modified_by'];
const METADATA = 'metadata.';

const RULE = `may search ${FIELDS.join(', ')} and ${METADATA}<key>; an agent cannot search by data or fingerprint`;

function isAllowed(tree: QueryTree): boolean {
  if ('all' in tree) return tree.all.every(isAllowed);
  if ('any' in tree) return tree.any.every(isAllowed);
  if ('not' in tree) return isAllowed(tree.not);
  const { term, field } = tree;
  if (FIELDS.includes(field) || field.startsWith(METADATA)) return true;
  // `*` and `*:*` match everything. Any other term without a field would search the default field of the service.
  return 'term' in term && term.term === '*' && !term.quoted && (field === '*' || field === '<implicit>');
}

/** Returns what is wrong with a query of an agent. One that cannot be parsed is refused: another parser may read it differently. */
function queryProblem(query: string): string | undefined {
  try {
    const tree = parseQuery(query);
    return tree === undefined || isAllowed(tree) ? undefined : RULE;
  } catch (error) {
    if (error instanceof QuerySyntaxError) return error.message;
    throw error;
  }
}
