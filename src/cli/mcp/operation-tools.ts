import * as z from 'zod';
import { canWrite } from '../../client/client.js';
import type { OperationRow } from '../../contract/operation-row.js';
import { OPERATION_IDS, type OperationId, operationRow } from '../../contract/operations.js';
import { agentSchemas } from './agent-schemas.js';

export interface OperationTool extends Tool {
  operation: OperationId;
  query: z.ZodType;
  body: z.ZodType | undefined;
  /** Whether the agent has tools that write. */
  agentWrites: boolean;
}

/** Operations that are not offered, with the reason. Those that use token data (`token:use`) are left out as well. */
const WITHHELD: ReadonlySet<OperationId> = new Set([
  // Their responses are keys.
  'applications.regenerate',
  'applications.keys.create',
  // The command asks a person to type the name of the tenant.
  'tenants.delete',
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

const TEXT = { type: 'string', minLength: 1 };

/** Path parameters and query parameters are properties of the input, next to `body`. */
function inputSchema(
  row: OperationRow,
  queryType: z.ZodType,
  body: z.ZodType | undefined,
): Tool['inputSchema'] {
  const path = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const { properties: query = {} } = jsonSchema(queryType, 'output');
  const bodyIsRequired = body !== undefined && !row.optionalBody;
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(path.map((name) => [name, TEXT])),
      ...(query as object),
      ...(body && { body: jsonSchema(body, 'input') }),
    },
    required: [...path, ...(bodyIsRequired ? ['body'] : [])],
    additionalProperties: false,
  };
}

function toTool(id: OperationId, agentWrites: boolean): OperationTool {
  const row = operationRow(id);
  const { query, ...schemas } = agentSchemas(id);
  const body = row.body && schemas.body;
  return {
    name: id.replaceAll('.', '_'),
    description: `${row.summary} (${row.method} ${row.path}). Permission: ${row.permission ?? 'any key'}.`,
    inputSchema: inputSchema(row, query, body),
    annotations: { readOnlyHint: !canWrite(row), destructiveHint: row.method === 'DELETE' },
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

/**
 * Returns the JSON Schema (draft 2020-12) of a schema, without references.
 * @param io the input of a caller, or the output for a handler: defaults filled in, text of a query converted
 */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const options = { target: 'draft-2020-12', unrepresentable: 'any', metadata: UNNAMED, io } as const;
  const { $schema: _, ...rest } = z.toJSONSchema(schema, options);
  return rest;
}

export type Arguments = Readonly<Record<string, unknown>>;

/** A tool as an agent sees it. */
export interface Tool {
  /** `tokens_create` for the operation `tokens.create`. */
  name: string;
  description: string;
  inputSchema: { type: 'object' } & Record<string, unknown>;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean };
}

export interface RunnableTool extends Tool {
  /** Returns the answer, which holds nothing that an agent must not see. @throws {CliError | ServiceError} and other client errors */
  run(input: Arguments): Promise<unknown>;
}
