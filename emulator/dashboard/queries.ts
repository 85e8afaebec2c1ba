import type { ControlBody, ControlRequest, Overview } from '../../src/contract/control/schemas.js';
import { type Context, contextOf } from '../operations/context.js';
import { toOffsetLimit, toPage } from '../operations/pagination.js';
import { createUsageReport } from '../operations/tenants.js';
import { unexpiredCondition } from '../operations/token-expiry.js';
import { queryConditions } from '../operations/tokens/list.js';
import { serializeMasked } from '../operations/tokens/serialize.js';
import { problem } from '../problems/problem.js';

/** Collects what the dashboard shows of a tenant; the newest by default. @throws ProblemError 404 */
export async function overviewOf(tenantId: string | undefined, shared: Context): Promise<Overview> {
  const { records: tenants } = await shared.store.find('tenants', {});
  const tenant = tenantId === undefined ? tenants.at(-1) : tenants.find(({ id }) => id === tenantId);
  if (!tenant) throw problem('notFound', 'There is no such tenant.');
  const { id, name, settings } = tenant;
  const context = contextOf(shared, id);
  const { store, clock, options } = context;
  const [report, tokens] = await Promise.all([
    createUsageReport(id, context),
    store.find('tokens', { tenantId: id, limit: 0, where: unexpiredCondition(clock.now()) }),
  ]);
  return {
    tenants: tenants.map((one) => ({ id: one.id, name: one.name })).reverse(),
    tenant: { id, name, settings },
    usage: report.token_report,
    tokens: tokens.total,
    header_prefix: options.headerPrefix,
  };
}

/** Finds a page of masked tokens; leaves no audit entry, and makes no token active. @throws ProblemError 404, 400 */
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
