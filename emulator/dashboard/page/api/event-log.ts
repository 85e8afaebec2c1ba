import type { EmulatorEvent } from '../../../../src/contract/control/events.js';

/** Events that are kept. */
const KEPT = 2_000;

/** @param added the new events; none when the log was cleared */
type EventListener = (added: readonly EmulatorEvent[]) => void;

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
    this.#notify(events);
  }

  /** Forgets the events: a stream that is reopened starts with the recent ones again. */
  clear(): void {
    this.#events = [];
    this.#notify([]);
  }

  /** @returns a function that ends the subscription */
  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #notify(added: readonly EmulatorEvent[]): void {
    for (const listener of this.#listeners) listener(added);
  }
}
