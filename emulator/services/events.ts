import type { EmulatorEvent } from '../../src/contract/control/events.js';
import { estimateBytes } from '../lib/estimate-bytes.js';
import { RecentByTenant } from '../lib/recent-items.js';

/** A bounded log of recent events, with subscriptions. A tenant has a log of its own, which no other one fills. */
export interface Events {
  emit(event: EmulatorEvent): void;
  /** Takes over an event of another process that shares the store. */
  adopt(event: EmulatorEvent): void;
  /** Those of a tenant, or of all; the newest last. */
  recent(tenantId?: string): readonly EmulatorEvent[];
  subscribe(listener: (event: EmulatorEvent) => void): () => void;
  /** Leaves out the events of other processes. */
  subscribeToOwn(listener: (event: EmulatorEvent) => void): void;
  clear(tenantId?: string): void;
}

export function createEvents(): Events {
  const kept = new RecentByTenant<EmulatorEvent>();
  const listeners = new Set<(event: EmulatorEvent) => void>();
  const ownListeners: ((event: EmulatorEvent) => void)[] = [];

  function adopt(event: EmulatorEvent): void {
    kept.add(event, event.tenant_id, estimateBytes(event));
    for (const listener of listeners) listener(event);
  }

  return {
    emit(event) {
      adopt(event);
      for (const listener of ownListeners) listener(event);
    },
    adopt,
    recent: (tenantId) => kept.list(tenantId),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    subscribeToOwn: (listener) => void ownListeners.push(listener),
    clear: (tenantId) => kept.clear(tenantId),
  };
}
