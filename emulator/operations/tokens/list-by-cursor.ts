import type { Condition } from '../../store/condition.js';
import { withVisibility } from '../authorize.js';
import type { Call } from '../call.js';
import type { Handler } from '../handler-types.js';
import { encodeCursor, findPosition } from './cursor.js';
import { filterConditions, findTokens } from './list.js';
import type { AccessServices } from './record-access.js';
import { queryConditions } from './search.js';

/** GET /v2/tokens. */
export const listByCursor: Handler<'tokens.listByCursor'> = async ({ query }, call, context) => {
  const { fingerprint, start, size } = query;
  const conditions = filterConditions(query);
  if (fingerprint !== undefined) conditions.push({ term: 'fingerprint', is: fingerprint });
  const page = { permission: 'token:read', start, name: 'query.start', size } as const;
  return { status: 200, body: await findPage(conditions, page, call, context) };
};

/** POST /v2/tokens/search. */
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

async function findPage(
  filters: readonly Condition<'tokens'>[],
  { permission, start, name, size }: CursorPage,
  call: Call,
  services: AccessServices,
) {
  const visible = withVisibility(permission, filters, call);
  const { conditions, offset } = await findPosition(start, name, visible, call, services);
  const { tokens, total, last } = await findTokens(
    permission,
    conditions,
    { offset, limit: size },
    call,
    services,
  );
  const hasMore = last !== undefined && offset + tokens.length < total;
  return {
    pagination: { page_size: size, ...(hasMore && { next: encodeCursor(last) }) },
    data: tokens,
  };
}
