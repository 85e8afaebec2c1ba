import type { UsageReport } from '../../../src/contract/schemas/index.js';
import { TOKEN_TYPE_NAMES, type TokenType } from '../../../src/contract/token-types.js';
import type { Clock } from '../../lib/clock.js';
import { monthlyActiveTokens } from '../../services/activity.js';
import type { Store } from '../../store/store.js';
import type { Handler } from '../handler-types.js';
import { unexpiredCondition } from '../token-expiry.js';

interface UsageServices {
  store: Store;
  clock: Pick<Clock, 'now'>;
  options: { includedMonthlyTokens: number };
}

interface TypeMetrics {
  count: number;
  last_created_at?: string;
}

/** Counts the live tokens of a type. An expired token does not count, even before the sweep removes it. */
async function countTokens(type: TokenType, tenantId: string, context: UsageServices): Promise<TypeMetrics> {
  const { records, total } = await context.store.find('tokens', {
    tenantId,
    where: { all: [{ term: 'type', is: type }, unexpiredCondition(context.clock.now())] },
    limit: 1,
  });
  const newest = records[0];
  return { count: total, ...(newest && { last_created_at: newest.created_at }) };
}

async function metricsByType(tenantId: string, context: UsageServices): Promise<Record<string, TypeMetrics>> {
  const all = await Promise.all(
    TOKEN_TYPE_NAMES.map(async (type) => [type, await countTokens(type, tenantId, context)] as const),
  );
  return Object.fromEntries(all.filter(([, metrics]) => metrics.count > 0));
}

/** Creates the usage report of a tenant (service-api.md, "Tenant usage report"). */
export async function createUsageReport(tenantId: string, context: UsageServices): Promise<UsageReport> {
  const now = new Date(context.clock.now());
  const [metrics, active] = await Promise.all([
    metricsByType(tenantId, context),
    monthlyActiveTokens(context.store, tenantId, now),
  ]);
  return {
    token_report: {
      metrics_by_type: metrics,
      included_monthly_active_tokens: context.options.includedMonthlyTokens,
      monthly_active_tokens: active,
    },
  };
}

const usage: Handler<'tenants.usage'> = async (_request, { tenant }, context) => ({
  status: 200,
  body: await createUsageReport(tenant.id, context),
});

export const usageHandlers = { 'tenants.usage': usage };
