import type { PendingDelivery } from '../../../../src/contract/control/deliveries.js';
import type { EmulatorEvent } from '../../../../src/contract/control/events.js';
import { changesData, useControl, useWorkbench } from './emulator.js';

export type DeliveryEvent = Extract<EmulatorEvent, { kind: 'callback' | 'webhook' }>;

export const isDelivery = (event: EmulatorEvent): event is DeliveryEvent =>
  event.kind === 'callback' || event.kind === 'webhook';

export const changesDeliveries = (event: EmulatorEvent) => changesData(event) || isDelivery(event);

/** Returns the callbacks and webhook events that no receiver has accepted yet. */
export function usePendingDeliveries(): readonly PendingDelivery[] {
  const { tenant } = useWorkbench();
  return useControl('deliveries.list', { tenant: tenant.id }, changesDeliveries).value?.deliveries ?? [];
}
