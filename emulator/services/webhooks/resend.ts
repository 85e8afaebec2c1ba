import type { TenantClocks } from '../../lib/tenant-clocks.js';
import { ConflictError } from '../../store/errors.js';
import type { DeliveryRecord } from '../../store/records.js';
import type { Store } from '../../store/store.js';
import { clockOf } from './delivery-record.js';
import type { RecentCallbacks } from './recent-callbacks.js';

interface ResendServices {
  store: Pick<Store, 'find' | 'commit'>;
  clocks: Pick<TenantClocks, 'global' | 'of'>;
  recent: Pick<RecentCallbacks, 'get'>;
  /** Whether the invocation of a callback still runs. */
  isRunning(id: string): boolean;
}

/**
 * Stores a recent callback again, with its request id, or makes a pending one due.
 * @returns what is to be sent; undefined if no recent callback of the tenant has this id, or its reactor still runs
 */
export async function storeAgain(
  id: string,
  tenantId: string | undefined,
  services: ResendServices,
): Promise<DeliveryRecord | undefined> {
  for (;;)
    try {
      return await tryStore(id, tenantId, services);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      if (error.collection === 'tenants') return undefined;
      // It was delivered, or sent again by another request, in the meantime.
    }
}

async function tryStore(
  id: string,
  tenantId: string | undefined,
  { store, clocks, recent, isRunning }: ResendServices,
): Promise<DeliveryRecord | undefined> {
  const { records } = await store.find('deliveries', {
    ...(tenantId !== undefined && { tenantId }),
    where: { ids: [id] },
  });
  const [pending] = records;
  if (pending?.event || isRunning(id)) return undefined;
  const earlier = pending ?? recent.get(id, tenantId);
  if (!earlier) return undefined;
  const now = clockOf(earlier, clocks).timestamp();
  const record = pending
    ? { ...pending, next_attempt_at: now }
    : { ...earlier, attempts: 0, next_attempt_at: now, created_at: now };
  await store.commit([
    { require: 'tenants', tenantId: record.tenant_id },
    pending ? { replace: 'deliveries', record: { ...pending, ...record } } : { insert: 'deliveries', record },
  ]);
  return record;
}
