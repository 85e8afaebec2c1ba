import type { ControlBody, ControlRequest, Overview } from '../../src/contract/control/schemas.js';
import { type Context, contextOf } from '../operations/context.js';
import { toOffsetLimit, toPage } from '../operations/pagination.js';
import { createUsageReport } from '../operations/tenants.js';
import { unexpiredCondition } from '../operations/token-expiry.js';
import { queryConditions } from '../operations/tokens/list.js';
import { serializeMasked } from '../operations/tokens/serialize.js';
import { problem } from '../problems/problem.js';

/** The number of tokens and of reactors that are shown. */
const SHOWN = 20;

/**
 * Collects what the dashboard shows of a tenant; the newest one by default.
 * @throws ProblemError 404 for an unknown tenant
 */
export async function overviewOf(tenantId: string | undefined, shared: Context): Promise<Overview> {
  const { records: tenants } = await shared.store.find('tenants', {});
  const tenant = tenantId === undefined ? tenants.at(-1) : tenants.find(({ id }) => id === tenantId);
  if (!tenant) throw problem('notFound', 'There is no such tenant.');
  const context = contextOf(shared, tenant.id);
  const [report, tokens, reactors, applications] = await Promise.all([
    createUsageReport(tenant.id, context),
    newestTokens(tenant.id, context),
    newestReactors(tenant.id, context),
    context.store.find('applications', { tenantId: tenant.id, limit: 0 }),
  ]);
  return {
    tenants: tenants.map(({ id, name }) => ({ id, name })).reverse(),
    tenant: { id: tenant.id, name: tenant.name, settings: tenant.settings },
    usage: report.token_report,
    tokens,
    reactors,
    applications: applications.total,
    header_prefix: context.options.headerPrefix,
  };
}

async function newestTokens(tenantId: string, { store, clock }: Context): Promise<Overview['tokens']> {
  const now = clock.now();
  const { records, total } = await store.find('tokens', {
    tenantId,
    where: unexpiredCondition(now),
    limit: SHOWN,
  });
  return { total, newest: await serializeMasked(records, now) };
}

async function newestReactors(tenantId: string, { store }: Context): Promise<Overview['reactors']> {
  const { records, total } = await store.find('reactors', { tenantId, limit: SHOWN });
  const newest = records.map(({ id, name, created_at, modified_at }) => ({
    id,
    name,
    created_at,
    ...(modified_at !== undefined && { modified_at }),
  }));
  return { total, newest };
}

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
