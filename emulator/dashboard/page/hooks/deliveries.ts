import type { PendingDelivery } from '../../../../src/contract/control/deliveries.js';
import type { EmulatorEvent } from '../../../../src/contract/control/events.js';
import { changesData, useControl, useEvents } from './emulator.js';

export type DeliveryEvent = Extract<EmulatorEvent, { kind: 'callback' | 'webhook' }>;

const isDelivery = (event: EmulatorEvent): event is DeliveryEvent =>
  event.kind === 'callback' || event.kind === 'webhook';

export const changesDeliveries = (event: EmulatorEvent) => changesData(event) || isDelivery(event);

/** Returns the callbacks and webhook events that no receiver has accepted yet. */
export const usePendingDeliveries = (): readonly PendingDelivery[] =>
  useControl('deliveries.list', {}, changesDeliveries).value?.deliveries ?? [];

/** Returns the recent attempts to deliver callbacks and webhook events, or only those of one webhook; the oldest first. */
export const useAttempts = (webhookId?: string): DeliveryEvent[] =>
  useEvents()
    .filter(isDelivery)
    .filter((one) => webhookId === undefined || (one.kind === 'webhook' && one.webhook_id === webhookId));
