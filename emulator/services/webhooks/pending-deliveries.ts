import type { PendingDelivery } from '../../../src/contract/control/deliveries.js';
import { ignoreConflict } from '../../store/errors.js';
import type { DeliveryRecord, Stored } from '../../store/records.js';
import type { Change, Store } from '../../store/store.js';
import type { DeliveryTarget } from './delivery-limits.js';
import { clockOf, describeDelivery } from './delivery-record.js';
import type { DeliveryRoom } from './delivery-room.js';
import type { WebhookServices } from './send.js';

/** Returns the stored deliveries of a tenant, or of all. Each is deleted when it is done. */
export async function findDeliveries(store: Pick<Store, 'find'>, tenantId?: string) {
  return (await store.find('deliveries', { tenantId })).records;
}

/** Returns the stored bodies, of events and of callbacks, of a tenant or of all. */
export async function findBodies(store: Pick<Store, 'find'>, tenantId?: string) {
  const { records: events } = await store.find('events', { tenantId });
  const callbacks = await findDeliveries(store, tenantId);
  return [
    ...events,
    ...callbacks.flatMap(({ id, tenant_id, body }) => (body === undefined ? [] : { id, tenant_id, body })),
  ];
}

/** Lists the deliveries of a tenant, or of all, that no receiver has accepted yet. */
export async function pendingDeliveries({ store }: Pick<WebhookServices, 'store'>, tenantId?: string) {
  const first = new Map<string, DeliveryRecord['event']>();
  return (await findDeliveries(store, tenantId)).sort(byOrder).map((record) => {
    const key = record.order?.key ?? record.id;
    const before = first.get(key);
    if (!before) first.set(key, record.event);
    const waits_behind = before && { event_id: before.id, event_type: before.type };
    return { ...describeDelivery(record), ...(waits_behind && { waits_behind }) };
  });
}

/** Lists those whose attempt is due by the clock of their tenant, and no earlier one holds up. */
export async function dueDeliveries(
  { store, clocks }: Pick<WebhookServices, 'store' | 'clocks'>,
  tenantId?: string,
): Promise<PendingDelivery[]> {
  return firstInOrder(await findDeliveries(store, tenantId))
    .filter((one) => Date.parse(one.next_attempt_at) <= clockOf(one, clocks).now())
    .map(describeDelivery);
}

/** Changes a delivery, unless it no longer exists, because its tenant was deleted or the emulator reset. */
export async function updateDelivery(
  store: Pick<Store, 'get' | 'commit'>,
  { tenant_id, id }: Pick<DeliveryRecord, 'tenant_id' | 'id'>,
  change: (record: Stored<DeliveryRecord>) => Stored<DeliveryRecord>,
): Promise<void> {
  for (;;) {
    const record = await store.get('deliveries', tenant_id, id);
    if (!record) return;
    const commit = store.commit([{ replace: 'deliveries', record: change(record) }]);
    // Data of a token may have been removed from it meanwhile.
    if (await commit.then(() => true, ignoreConflict)) return;
  }
}

/** Removes a delivery that is done, and its event with the last delivery of it. */
export async function removeDelivery(
  { tenant_id: tenantId, id, event }: DeliveryRecord,
  { store, room }: { store: Store; room: Pick<DeliveryRoom, 'remove'> },
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
  } else
    await store.commit([removal, eventRemoval]).catch((error) => {
      ignoreConflict(error);
      return commit(removal);
    });
  room.remove(tenantId, event.record);
}

/** Sorts deliveries by their order, the same in every process; those without one come first. */
export function byOrder(a: DeliveryRecord, b: DeliveryRecord): number {
  return (a.order?.at ?? 0) - (b.order?.at ?? 0) || (a.id < b.id ? -1 : 1);
}

/** Returns the deliveries that no earlier one of their order key holds up, in order. */
function firstInOrder<Delivery extends DeliveryRecord>(deliveries: readonly Delivery[]): Delivery[] {
  const keys = new Set<string>();
  return [...deliveries].sort(byOrder).filter(({ order }) => {
    if (!order) return true;
    const isFirst = !keys.has(order.key);
    keys.add(order.key);
    return isFirst;
  });
}

/** Keeps the deliveries of one order key apart in time: only the first one that is not done is sent. */
export class DeliveryOrder {
  readonly #waiting = new Map<string, DeliveryTarget[]>();

  /** @returns whether the delivery may be sent now: no other one of its order key comes first */
  add({ id, order, tenant_id, url }: DeliveryTarget): boolean {
    if (!order) return true;
    const waiting = this.#waiting.get(order.key) ?? [];
    this.#waiting.set(order.key, waiting);
    return waiting.push({ id, order, tenant_id, url }) === 1;
  }

  /** Removes a delivery that is done. @returns the one that may be sent next */
  next({ id, order }: DeliveryTarget): DeliveryTarget | undefined {
    const waiting = (order && this.#waiting.get(order.key)) ?? [];
    const at = waiting.findIndex((one) => one.id === id);
    if (!order || at < 0) return undefined;
    waiting.splice(at, 1);
    if (waiting.length === 0) this.#waiting.delete(order.key);
    return waiting[0];
  }

  /** Removes the deliveries of a tenant, or all. */
  clear(tenantId?: string): void {
    for (const [key, [first]] of this.#waiting)
      if (tenantId === undefined || first?.tenant_id === tenantId) this.#waiting.delete(key);
  }
}
