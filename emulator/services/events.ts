import type { EmulatorEvent } from '../../src/contract/control/events.js';
import { RecentByTenant, type RecentLimits } from '../lib/recent-items.js';

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

/** What is kept, of a tenant and of all: texts that a reactor logs can be long. */
const KEPT: RecentLimits = { items: 1_000, bytes: 8 * 1024 ** 2 };
/** What an event takes in addition to its texts, in bytes. */
const EVENT_BYTES = 256;

export function createEvents(): Events {
  const kept = new RecentByTenant<EmulatorEvent>(KEPT);
  const listeners = new Set<(event: EmulatorEvent) => void>();
  const ownListeners: ((event: EmulatorEvent) => void)[] = [];

  function adopt(event: EmulatorEvent): void {
    kept.add(event, event.tenant_id, bytesOf(event));
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

function bytesOf(event: EmulatorEvent): number {
  let bytes = EVENT_BYTES;
  for (const value of Object.values(event)) if (typeof value === 'string') bytes += value.length;
  return bytes;
}
