import type { RecordLocation } from '../record-location.js';
import type { Stored } from '../records.js';
import type { Captured } from './table.js';

/** Keeps records by slot: in memory, or on disk with their places in memory. */
export interface RecordStorage<R> {
  get(slot: number): Stored<R> | undefined;
  put(slot: number, record: Stored<R>, place?: RecordLocation): void;
  drop(slot: number): void;
  /** The records of these slots as they are now, read when they are asked for. */
  capture(slots: number[]): Captured<R>;
}

export class MemoryRecordStorage<R> implements RecordStorage<R> {
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

  capture(slots: number[]): Captured<R> {
    const records = slots.map((slot) => this.#records[slot]) as Stored<R>[];
    return { length: records.length, read: (at) => records[at] as Stored<R> };
  }
}
