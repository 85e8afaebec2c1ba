import type { Condition } from '../condition.js';
import type { IndexedLocation } from '../record-location.js';
import type { CollectionName, Records, Stored } from '../records.js';
import type { Found } from '../store.js';

/** The records of one collection and tenant. */
export interface Table<N extends CollectionName> {
  readonly size: number;
  get(id: string): Stored<Records[N]> | undefined;
  /** Whether there is such a record; reads none. */
  has(id: string): boolean;
  /** Replaces `was`, or adds a new record; `written` is what the journal has of it. */
  put(record: Stored<Records[N]>, written?: IndexedLocation, was?: Stored<Records[N]>): void;
  remove(id: string, was?: Stored<Records[N]>): void;
  /** To be awaited before `page` when it gives a promise: what the condition needs is being built or read. */
  prepare(where: Condition<N> | undefined): Promise<void> | undefined;
  page(where: Condition<N> | undefined, offset: number, limit: number): Found<Records[N]>;
  clear(): void;
  /** The records there are now, the oldest first; each is read when it is asked for. */
  capture(): Captured<Records[N]>;
}

export interface Captured<R> {
  length: number;
  read(at: number): Stored<R>;
}
