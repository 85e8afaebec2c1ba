import { LIMITS } from '../../../src/contract/limits.js';
import type { Permission } from '../../../src/contract/permissions.js';
import type { AnyToken, OperationRequest } from '../../../src/contract/schemas/index.js';
import { QuerySyntaxError } from '../../../src/contract/search-query/syntax-error.js';
import { BudgetExceededError, RequestBudget } from '../../expressions/index.js';
import { jsonLength } from '../../lib/json-bounds.js';
import { type MaybePromise, recover } from '../../lib/maybe-promise.js';
import { nextTurn } from '../../lib/turns.js';
import { validationProblem } from '../../problems/problem.js';
import { COSTS } from '../../services/admission.js';
import type { Condition } from '../../store/condition.js';
import { findTransform, withVisibility } from '../authorize.js';
import type { Call, Handler } from '../context.js';
import { listTooLong, type Page, type PageQuery, toOffsetLimit, toPage } from '../pagination.js';
import { unexpiredCondition } from '../token-expiry.js';
import { compileQuery } from './query/compile.js';
import { type AccessServices, type ListedToken, recordListAccess } from './record-access.js';
import { serializeToken } from './serialize.js';

/** Stored bytes that are read before other requests get their turn. */
const READ_BYTES = 2_097_152;

type Filters = OperationRequest<'tokens.list'>['query'];

export const list: Handler<'tokens.list'> = async ({ query }, call, context) => ({
  status: 200,
  body: await findTokenPage('token:read', filterConditions(query), query, call, context),
});

export function filterConditions({
  id,
  metadata,
  type,
  container,
}: Pick<Filters, 'id' | 'metadata' | 'type' | 'container'>): Condition<'tokens'>[] {
  const all: Condition<'tokens'>[] = [];
  if (id !== undefined) all.push({ ids: [...new Set(id)] });
  for (const [key, value] of Object.entries(metadata ?? {})) all.push({ term: `metadata.${key}`, is: value });
  if (type !== undefined) all.push({ term: 'type', is: type });
  if (container !== undefined) all.push({ term: 'container', is: container });
  return all;
}

/** Finds a page of the live tokens that match all conditions and that the permission lets the caller see. */
async function findTokenPage(
  permission: Permission,
  conditions: readonly Condition<'tokens'>[],
  query: PageQuery,
  call: Call,
  services: AccessServices,
): Promise<Page<AnyToken>> {
  const visible = withVisibility(permission, conditions, call);
  const { tokens, total } = await findTokens(permission, visible, toOffsetLimit(query), call, services);
  return toPage(tokens, total, query);
}

export async function findTokens(
  permission: Permission,
  conditions: readonly Condition<'tokens'>[],
  position: { offset: number; limit: number; countTo?: number },
  call: Call,
  services: AccessServices,
) {
  const budget = new RequestBudget(services.clock.now(), call.tenant.id);
  const all = [...conditions, unexpiredCondition(budget.now)];
  const size = new ResponseSize();
  const [listed, tokens]: [ListedToken[], AnyToken[]] = [[], []];
  let { offset, limit } = position;
  const { countTo } = position;
  for (;;) {
    const { records, total, nextOffset } = await services.store.find('tokens', {
      tenantId: call.tenant.id,
      where: { all },
      offset,
      limit,
      ...(countTo !== undefined && { countTo }),
      maxBytes: READ_BYTES,
    });
    for (const record of records) {
      const transform = findTransform(permission, record, call) ?? 'redact';
      const token = nameToken(record.id, () => serializeToken(record, transform, budget, call));
      const shown = token instanceof Promise ? await token : token;
      tokens.push(shown);
      size.add(shown);
      const { id, tenant_id, created_at } = record;
      listed.push({ id, tenant_id, created_at, transform });
    }
    if (nextOffset === undefined) {
      recordListAccess(listed, call, services);
      return { tokens, total, last: listed.at(-1) };
    }
    limit -= nextOffset - offset;
    offset = nextOffset;
    await call.charge?.raise(LIMITS.responseBytes * COSTS.response);
    await nextTurn();
  }
}

/** Names the token whose mask exceeds the budget of the request. */
function nameToken<T>(id: string, work: () => MaybePromise<T>): MaybePromise<T> {
  return recover(work, (error) => {
    if (!(error instanceof BudgetExceededError)) throw error;
    const messages = Object.values(error.errors).flat();
    throw validationProblem({ mask: messages.map((message) => `token ${id}: ${message}`) });
  });
}

/** The size of a list response, charged while the page is built (decisions.md, "Pagination"). */
class ResponseSize {
  /** At least as long as the tokens: until it is too long, none of them is measured. */
  #estimate = 0;
  #bytes = 0;
  readonly #tokens: AnyToken[] = [];

  /** @throws ProblemError 400 when the response is too large */
  add(token: AnyToken): void {
    this.#estimate += jsonLength(token, LIMITS.responseBytes);
    this.#tokens.push(token);
    if (this.#estimate <= LIMITS.responseBytes) return;
    for (const one of this.#tokens.splice(0)) this.#bytes += Buffer.byteLength(JSON.stringify(one));
    if (this.#bytes > LIMITS.responseBytes) throw listTooLong();
    this.#estimate = this.#bytes;
  }
}

/** POST /tokens/search (decisions.md, "Search and tokenize"). An empty query matches all tokens. */
export const search: Handler<'tokens.search'> = async ({ body }, call, context) => {
  const conditions = queryConditions(body.query ?? '');
  return { status: 200, body: await findTokenPage('token:search', conditions, body, call, context) };
};

/** Compiles a Lucene query. @throws ProblemError 400 with the position of a syntax error */
export function queryConditions(query: string): Condition<'tokens'>[] {
  try {
    const condition = compileQuery(query);
    return condition === undefined ? [] : [condition];
  } catch (error) {
    if (error instanceof QuerySyntaxError) throw validationProblem({ query: [error.message] });
    throw error;
  }
}
