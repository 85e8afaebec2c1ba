import type * as z from 'zod';
import { isObject } from '../../contract/json.js';
import type { OperationId } from '../../contract/operations.js';
import { type OperationSchemas, operationSchemas, schemas } from '../../contract/schemas/index.js';
import { createToken } from '../../contract/schemas/tokens.js';
import { parseQuery, type QueryTree } from '../../contract/search-query/parse.js';
import { QuerySyntaxError } from '../../contract/search-query/syntax-error.js';

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

/** Reports what an agent must not send in the create requests of a payload of /tokenize. */
function checkPayload(payload: unknown, path: PropertyKey[], context: z.core.$RefinementCtx): void {
  if (isObject(payload) && 'type' in payload && 'data' in payload) {
    for (const issue of agentToken.safeParse(payload).error?.issues ?? [])
      context.issues.push({
        ...issue,
        input: payload,
        path: [...path, ...issue.path],
      } as z.core.$ZodRawIssue);
  } else if (typeof payload === 'object' && payload !== null)
    for (const [name, part] of Object.entries(payload)) checkPayload(part, [...path, name], context);
}

/** What an agent may send, where that is less than the contract accepts. */
const RESTRICTED: { readonly [Id in OperationId]?: Partial<Pick<OperationSchemas, 'query' | 'body'>> } = {
  'tokens.create': { body: agentToken },
  'tokens.update': { body: schemas['tokens.update'].body.omit(DERIVED) },
  'tokens.search': { body: searchTokens.extend({ query }) },
  'tokens.searchByCursor': { body: schemas['tokens.searchByCursor'].body.extend({ query }) },
  'tokens.listByCursor': { query: schemas['tokens.listByCursor'].query.omit({ fingerprint: true }) },
  tokenize: {
    body: schemas.tokenize.body.superRefine((payload, context) => checkPayload(payload, [], context)),
  },
};

/** Returns the schemas of the query and body that an agent may send to an operation. */
export function agentSchemas(id: OperationId): Pick<OperationSchemas, 'query' | 'body'> {
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

/**
 * Checks a search query of an agent. A query that cannot be parsed is refused too: another parser could read it differently.
 * @returns what is wrong with it; undefined when the agent may send it
 */
function queryProblem(query: string): string | undefined {
  try {
    const tree = parseQuery(query);
    return tree === undefined || isAllowed(tree) ? undefined : RULE;
  } catch (error) {
    if (error instanceof QuerySyntaxError) return error.message;
    throw error;
  }
}
