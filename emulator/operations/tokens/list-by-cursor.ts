import { validationProblem } from '../../problems/problem.js';
import type { Condition } from '../../store/condition.js';
import type { TokenRecord } from '../../store/records.js';
import { withVisibility } from '../authorize.js';
import type { Call, Handler } from '../context.js';
import { filterConditions, findTokens, queryConditions } from './list.js';
import type { AccessServices } from './record-access.js';

/** GET /v2/tokens. */
export const listByCursor: Handler<'tokens.listByCursor'> = async ({ query }, call, context) => {
  const { fingerprint, start, size } = query;
  const conditions = filterConditions(query);
  if (fingerprint !== undefined) conditions.push({ term: 'fingerprint', is: fingerprint });
  const page = { permission: 'token:read', start, name: 'query.start', size } as const;
  return { status: 200, body: await findPage(conditions, page, call, context) };
};

export const searchByCursor: Handler<'tokens.searchByCursor'> = async ({ body }, call, context) => {
  const { query, start, size } = body;
  const page = { permission: 'token:search', start, name: 'start', size } as const;
  return { status: 200, body: await findPage(queryConditions(query ?? ''), page, call, context) };
};

interface CursorPage {
  permission: 'token:read' | 'token:search';
  /** `pagination.next` of the page before; absent for the first page. */
  start: string | null | undefined;
  /** Property path of `start` in the request. */
  name: string;
  size: number;
}

type Where = Condition<'tokens'>;

/** Finds the page after a cursor. Tokens that were created or deleted since the previous page move nothing. @throws ProblemError 400 */
async function findPage(
  filters: readonly Where[],
  { permission, start, name, size }: CursorPage,
  call: Call,
  services: AccessServices,
) {
  const conditions = withVisibility(permission, filters, call);
  let offset = 0;
  if (start != null) {
    const cursor = decodeCursor(start);
    if (!cursor) throw validationProblem({ [name]: ['must be `pagination.next` of another page'] });
    const { createdAt } = cursor;
    const where = { all: [...conditions, { range: 'created_at' as const, gte: createdAt, lte: createdAt }] };
    offset = await countUpTo(cursor, where, call.tenant.id, services);
    conditions.push({ range: 'created_at', lte: createdAt });
  }
  // Whether there is a next page is all that must be known of the total.
  const position = { offset, limit: size, countTo: offset + size + 1 };
  const { tokens, total, last } = await findTokens(permission, conditions, position, call, services);
  const hasMore = last !== undefined && offset + tokens.length < total;
  return {
    pagination: { page_size: size, ...(hasMore && { next: encodeCursor(last) }) },
    data: tokens,
  };
}

/** The last token of the previous page. Lists are ordered by `created_at` descending, then `id` ascending. */
interface Cursor {
  /** Milliseconds since 1970. */
  createdAt: number;
  id: string;
}

function encodeCursor({ created_at, id }: Pick<TokenRecord, 'created_at' | 'id'>): string {
  return Buffer.from(JSON.stringify([Date.parse(created_at), id])).toString('base64url');
}

function decodeCursor(text: string): Cursor | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    const [createdAt, id] = Array.isArray(value) ? value : [];
    return Number.isSafeInteger(createdAt) && typeof id === 'string' ? { createdAt, id } : undefined;
  } catch {
    return undefined;
  }
}

/** Counts the tokens of the cursor's time up to its id, by bisection: one request may create 10,000 of the same time. */
async function countUpTo(
  { id }: Cursor,
  where: Where,
  tenantId: string,
  { store }: Pick<AccessServices, 'store'>,
): Promise<number> {
  let low = 0;
  let { total: high } = await store.find('tokens', { tenantId, where, limit: 0 });
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const { records } = await store.find('tokens', { tenantId, where, offset: middle, limit: 1 });
    if (records[0] !== undefined && records[0].id <= id) low = middle + 1;
    else high = middle;
  }
  return low;
}
