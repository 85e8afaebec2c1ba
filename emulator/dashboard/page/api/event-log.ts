import type { EmulatorEvent } from '../../../../src/contract/control/events.js';

/** Events that are kept. */
const KEPT = 2_000;

type EventListener = (events: readonly EmulatorEvent[]) => void;

/** The recent events of the emulator, the oldest first. */
export class EventLog {
  #events: readonly EmulatorEvent[] = [];
  readonly #listeners = new Set<EventListener>();

  get events(): readonly EmulatorEvent[] {
    return this.#events;
  }

  add(events: readonly EmulatorEvent[]): void {
    const reset = events.findLastIndex(({ kind }) => kind === 'reset');
    const kept = reset < 0 ? [...this.#events, ...events] : events.slice(reset);
    this.#events = kept.slice(-KEPT);
    for (const listener of this.#listeners) listener(events);
  }

  /** Forgets the events: a stream that is reopened starts with the recent ones again. */
  clear(): void {
    this.#events = [];
  }

  /** @returns a function that ends the subscription */
  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
