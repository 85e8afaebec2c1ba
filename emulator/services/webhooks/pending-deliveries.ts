import type { PendingDelivery } from '../../../src/contract/control/deliveries.js';
import type { TenantClocks } from '../../lib/tenant-clocks.js';
import { ignoreConflict } from '../../store/errors.js';
import type { DeliveryRecord, Stored } from '../../store/records.js';
import type { Change, Store } from '../../store/store.js';
import { byOrder, firstInOrder } from './delivery-order.js';
import { clockOf, describeDelivery } from './delivery-record.js';
import type { DeliveryRoom } from './delivery-room.js';

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

/** Returns the stored bodies, of events and of callbacks, of a tenant or of all. */
export async function findBodies(
  store: Pick<Store, 'find'>,
  tenantId?: string,
): Promise<{ id: string; tenant_id: string; body: string }[]> {
  const { records: events } = await store.find('events', tenantId === undefined ? {} : { tenantId });
  const callbacks = await findDeliveries(store, tenantId);
  return [
    ...events,
    ...callbacks.flatMap(({ id, tenant_id, body }) => (body === undefined ? [] : { id, tenant_id, body })),
  ];
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

interface RemovalServices {
  store: Pick<Store, 'find' | 'commit'>;
  room: Pick<DeliveryRoom, 'remove'>;
}

/** Removes a delivery that is done, and its event with the last delivery of it. */
export async function removeDelivery(
  { tenant_id: tenantId, id, event }: DeliveryRecord,
  { store, room }: RemovalServices,
): Promise<void> {
  const commit = (...changes: Change[]) => store.commit(changes).catch(ignoreConflict);
  const removal: Change = { remove: 'deliveries', tenantId, id };
  if (!event) {
    await commit(removal);
    return room.remove(tenantId, id);
  }
  const eventRemoval: Change = { remove: 'events', tenantId, id: event.record };
  const where = { term: 'event', is: event.record } as const;
  const count = async () => (await store.find('deliveries', { tenantId, where, limit: 0 })).total;
  if ((await count()) > 1) {
    await commit(removal);
    // Deliveries that end at the same time see each other.
    if ((await count()) > 0) return;
    await commit(eventRemoval);
  } else {
    await store.commit([removal, eventRemoval]).catch((error) => {
      ignoreConflict(error);
      return commit(removal);
    });
  }
  room.remove(tenantId, event.record);
}
