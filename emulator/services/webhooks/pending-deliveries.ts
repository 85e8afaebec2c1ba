import type { PendingDelivery } from '../../../src/contract/control/deliveries.js';
import type { TenantClocks } from '../../lib/tenant-clocks.js';
import type { DeliveryRecord, Stored } from '../../store/records.js';
import type { Store } from '../../store/store.js';
import { byOrder, firstInOrder } from './delivery-order.js';
import { clockOf, describeDelivery } from './delivery-record.js';

interface PendingServices {
  store: Pick<Store, 'find'>;
  clocks: Pick<TenantClocks, 'global' | 'of'>;
}

/** Returns the stored deliveries of a tenant, or of all. Each is deleted when it is done. */
export async function findDeliveries(
  store: Pick<Store, 'find'>,
  tenantId?: string,
): Promise<Stored<DeliveryRecord>[]> {
  return (await store.find('deliveries', tenantId === undefined ? {} : { tenantId })).records;
}

/** Lists the deliveries of a tenant, or of all, that no receiver has accepted yet. */
export async function pendingDeliveries(
  { store }: PendingServices,
  tenantId?: string,
): Promise<PendingDelivery[]> {
  return (await findDeliveries(store, tenantId)).sort(byOrder).map(describeDelivery);
}

/** Lists those whose attempt is due by the clock of their tenant, and no earlier one holds up. */
export async function dueDeliveries(
  { store, clocks }: PendingServices,
  tenantId?: string,
): Promise<PendingDelivery[]> {
  return firstInOrder(await findDeliveries(store, tenantId))
    .filter((one) => Date.parse(one.next_attempt_at) <= clockOf(one, clocks).now())
    .map(describeDelivery);
}
