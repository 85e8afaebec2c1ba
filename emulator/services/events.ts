import type { EmulatorEvent } from '../../src/contract/control/events.js';

/** A bounded log of recent events, with subscriptions. */
export interface Events {
  emit(event: EmulatorEvent): void;
  /** The newest last. */
  recent(): readonly EmulatorEvent[];
  subscribe(listener: (event: EmulatorEvent) => void): () => void;
  clear(): void;
}

/** The number of events that are kept. */
const KEPT = 1_000;

export function createEvents(): Events {
  let kept: EmulatorEvent[] = [];
  const listeners = new Set<(event: EmulatorEvent) => void>();
  return {
    emit(event) {
      kept.push(event);
      // Dropped in bulk, since shifting one by one would move the whole list for every request.
      if (kept.length >= 2 * KEPT) kept = kept.slice(-KEPT);
      for (const listener of listeners) listener(event);
    },
    recent: () => kept.slice(-KEPT),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    clear() {
      kept = [];
    },
  };
}
