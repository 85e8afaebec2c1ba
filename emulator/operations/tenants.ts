import type { Tenant } from '../../src/contract/schemas/index.js';
import { TOKEN_TYPE_NAMES } from '../../src/contract/token-types.js';
import { monthlyActiveTokens } from '../services/activity.js';
import { audit, changedFields } from '../services/audit-log.js';
import type { Stored, TenantRecord } from '../store/records.js';
import type { Context, Handlers } from './context.js';
import { transformIds } from './proxy-record.js';
import { retryOnConflict } from './retry-on-conflict.js';
import { unexpiredCondition } from './token-expiry.js';

const SHOWN = [
  ...(['id', 'owner_id', 'name', 'settings'] as const),
  ...(['created_by', 'created_at', 'modified_by', 'modified_at'] as const),
];

/** Serializes a tenant for a response, without its secrets. */
function serializeTenant(record: TenantRecord): Tenant {
  const shown = SHOWN.filter((name) => record[name] !== undefined);
  return Object.fromEntries(shown.map((name) => [name, record[name]])) as unknown as Tenant;
}

/** Deletes a tenant and everything in it. Its keys are unknown from then on. @throws ConflictError when it has been deleted */
export async function deleteTenant(tenantId: string, context: Context): Promise<void> {
  const { store, seeded, snapshots, tenantState } = context;
  const retire = await warmReactorsOf(tenantId, context);
  const seedChanges = await seeded.deletionChanges(tenantId);
  await store.commit([{ require: 'tenants', tenantId }, { clear: 'tenant', tenantId }, ...seedChanges]);
  await seeded.credentials.drop(tenantId);
  await tenantState.discard(tenantId);
  retire();
  await snapshots.removeAll(tenantId);
}

/** Finds the reactors and transforms of a tenant, or of all. @returns a function that discards their warm instances */
export async function warmReactorsOf(
  tenantId: string | undefined,
  { store, sandbox }: Pick<Context, 'store' | 'sandbox'>,
): Promise<() => void> {
  const [reactors, proxies] = await Promise.all([
    store.find('reactors', { tenantId }),
    store.find('proxies', { tenantId }),
  ]);
  const ids = [...reactors.records.map(({ id }) => id), ...proxies.records.flatMap(transformIds)];
  return () => {
    for (const id of ids) sandbox.retire(id);
  };
}

interface UsageServices extends Pick<Context, 'store'> {
  clock: Pick<Context['clock'], 'now'>;
  options: Pick<Context['options'], 'includedMonthlyTokens'>;
}

/** Creates the usage report of a tenant (service-api.md, "Tenant usage report"). */
export async function createUsageReport(tenantId: string, { store, clock, options }: UsageServices) {
  const now = clock.now();
  const metrics = TOKEN_TYPE_NAMES.map(async (type) => {
    // An expired token does not count, even before the sweep removes it.
    const where = { all: [{ term: 'type' as const, is: type }, unexpiredCondition(now)] };
    const { records, total: count } = await store.find('tokens', { tenantId, where, limit: 1 });
    const [newest] = records;
    return [type, { count, ...(newest && { last_created_at: newest.created_at }) }] as const;
  });
  const [counted, active] = await Promise.all([
    Promise.all(metrics),
    monthlyActiveTokens(store, tenantId, new Date(now)),
  ]);
  return {
    token_report: {
      metrics_by_type: Object.fromEntries(counted.filter(([, { count }]) => count > 0)),
      included_monthly_active_tokens: options.includedMonthlyTokens,
      monthly_active_tokens: active,
    },
  };
}

export const tenantHandlers = {
  'tenants.get': async (_request, call) => ({
    status: 200,
    body: serializeTenant(call.tenant),
  }),
  async 'tenants.update'({ body }, call, context) {
    const record = await retryOnConflict('tenants', call.tenant, context, async (tenant) => {
      const next: Stored<TenantRecord> = {
        ...tenant,
        name: body.name,
        // Only the given settings are replaced (service-api.md, PUT /tenants/self).
        settings: Object.assign({}, tenant.settings, body.settings),
        modified_by: call.actor.id,
        modified_at: context.clock.timestamp(),
      };
      const entry = audit(
        call,
        { entity: 'tenant', operation: 'update', id: tenant.id, changed: changedFields(tenant, next) },
        context,
      );
      await context.store.commit([{ replace: 'tenants', record: next }, entry]);
      return next;
    });
    await context.callers.refreshTenant(record.id);
    return { status: 200, body: serializeTenant(record) };
  },
  /** DELETE /tenants/self. Deletes everything of the tenant; its keys get 401 from now on. */
  async 'tenants.delete'(_request, call, context) {
    await deleteTenant(call.tenant.id, context);
    return { status: 204, body: undefined };
  },
  'tenants.usage': async (_request, { tenant }, context) => ({
    status: 200,
    body: await createUsageReport(tenant.id, context),
  }),
} satisfies Partial<Handlers>;
