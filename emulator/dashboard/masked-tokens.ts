import type { ControlBody, ControlRequest } from '../../src/contract/control/schemas.js';
import { type Context, contextOf } from '../operations/context.js';
import { toOffsetLimit, toPage } from '../operations/pagination.js';
import { unexpiredCondition } from '../operations/token-expiry.js';
import { queryConditions } from '../operations/tokens/search.js';
import { serializeMasked } from '../operations/tokens/serialize.js';
import { problem } from '../problems/problem.js';

/**
 * Finds a page of the live tokens of a tenant, masked. Unlike a search of an application it leaves no audit entry and makes
 * no token active.
 * @throws ProblemError 404 for an unknown tenant, 400 for a query with a syntax error
 */
export async function findMaskedTokens(
  tenantId: string,
  { query, ...page }: ControlRequest<'tenants.tokens'>['query'],
  context: Context,
): Promise<ControlBody<'tenants.tokens'>> {
  const { store, clock } = contextOf(context, tenantId);
  if (!(await store.get('tenants', tenantId, tenantId)))
    throw problem('notFound', 'There is no tenant with this ID.');
  const now = clock.now();
  const { records, total } = await store.find('tokens', {
    tenantId,
    where: { all: [...queryConditions(query ?? ''), unexpiredCondition(now)] },
    ...toOffsetLimit(page),
  });
  return toPage(await serializeMasked(records, now), total, page);
}
