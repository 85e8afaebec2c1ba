import type { Place } from '../place.js';
import type { Stored } from '../records.js';

/** Keeps records by slot: in memory, or on disk with their places in memory. */
export interface Shelf<R> {
  get(slot: number): Stored<R> | undefined;
  put(slot: number, record: Stored<R>, place?: Place): void;
  drop(slot: number): void;
}

export class MemoryShelf<R> implements Shelf<R> {
  readonly #records: (Stored<R> | undefined)[] = [];

  get(slot: number): Stored<R> | undefined {
    return this.#records[slot];
  }

  put(slot: number, record: Stored<R>): void {
    this.#records[slot] = record;
  }

  drop(slot: number): void {
    this.#records[slot] = undefined;
  }
}
