import type { ControlBody, ControlRequest, Overview } from '../../src/contract/control/schemas.js';
import { type Json, RequestBudget } from '../expressions/index.js';
import { type Context, contextOf } from '../operations/context.js';
import { toOffsetLimit, toPage } from '../operations/pagination.js';
import { createUsageReport } from '../operations/tenants.js';
import { unexpiredCondition } from '../operations/token-expiry.js';
import { FieldChecks } from '../operations/tokens/field-checks.js';
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
  const counted = { tenantId: id, limit: 0 };
  const [report, tokens, reactors, applications] = await Promise.all([
    createUsageReport(id, context),
    store.find('tokens', { ...counted, where: unexpiredCondition(clock.now()) }),
    store.find('reactors', counted),
    store.find('applications', counted),
  ]);
  return {
    tenants: tenants.map((one) => ({ id: one.id, name: one.name })).reverse(),
    tenant: { id, name, settings },
    usage: report.token_report,
    tokens: tokens.total,
    reactors: reactors.total,
    applications: applications.total,
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

/** Evaluates expressions over sample data, as that of a mask. @throws ProblemError 400 with errors by path */
export async function evaluateSample(
  { expression, data, metadata }: ControlRequest<'expressions.evaluate'>['body'],
  { clock }: Pick<Context, 'clock'>,
): Promise<Json | undefined> {
  const checks = new FieldChecks();
  const budget = new RequestBudget(clock.now());
  const scope = { data, ...(metadata && { metadata }) };
  const result = await checks.evaluate('expression', () =>
    budget.evaluate(expression as Json, scope, 'expression'),
  );
  checks.assertValid();
  return result;
}
