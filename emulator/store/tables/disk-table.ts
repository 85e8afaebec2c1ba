import type { Collection } from '../collections.js';
import type { IndexKeys } from '../index/index-keys.js';
import type { TermHasher } from '../index/term-hash.js';
import type { RecordLocation } from '../record-location.js';
import type { CollectionName, Records, Stored } from '../records.js';
import { IndexedTable } from './indexed-table.js';
import type { RecordStorage } from './record-storage.js';
import type { Captured } from './table.js';

/** Records read lately that are kept parsed. Not those just written: under load each would push out one that is read. */
const CACHED = 256;

export interface DiskShelfOptions<R> {
  /** Reads the record at a place. */
  read(place: RecordLocation): Stored<R>;
  /** Told about the place of every record that is replaced or removed. */
  bury(place: RecordLocation): void;
}

/** Knows where records stand on disk, and reads them when they are asked for. */
class DiskShelf<R> implements RecordStorage<R> {
  readonly #options: DiskShelfOptions<R>;
  readonly #segments: number[] = [];
  readonly #offsets: number[] = [];
  readonly #lengths: number[] = [];
  readonly #revisions: number[] = [];
  readonly #cache = new Map<number, Stored<R>>();

  constructor(options: DiskShelfOptions<R>) {
    this.#options = options;
  }

  get(slot: number): Stored<R> | undefined {
    const cached = this.#cache.get(slot);
    if (cached !== undefined) return cached;
    const place = this.placeAt(slot);
    if (place === undefined) return undefined;
    const record = this.#options.read(place);
    this.#keep(slot, record);
    return record;
  }

  put(slot: number, record: Stored<R>, place: RecordLocation): void {
    this.drop(slot);
    this.set(slot, place, record.revision);
  }

  drop(slot: number): void {
    const place = this.placeAt(slot);
    if (place === undefined) return;
    this.#options.bury(place);
    this.#segments[slot] = 0;
    this.#cache.delete(slot);
  }

  capture(slots: number[]): Captured<R> {
    const places = slots.map((slot) => this.placeAt(slot) as RecordLocation);
    return { length: places.length, read: (at) => this.#options.read(places[at] as RecordLocation) };
  }

  set(slot: number, place: RecordLocation, revision: number): void {
    this.#segments[slot] = place.segment;
    this.#offsets[slot] = place.offset;
    this.#lengths[slot] = place.length;
    this.#revisions[slot] = revision;
  }

  revisionAt(slot: number): number {
    return this.#revisions[slot] as number;
  }

  placeAt(slot: number): RecordLocation | undefined {
    const segment = this.#segments[slot];
    // Segments count from 1; 0 is an empty slot.
    if (segment === undefined || segment === 0) return undefined;
    return { segment, offset: this.#offsets[slot] as number, length: this.#lengths[slot] as number };
  }

  #keep(slot: number, record: Stored<R>): void {
    this.#cache.set(slot, record);
    if (this.#cache.size <= CACHED) return;
    for (const oldest of this.#cache.keys()) {
      this.#cache.delete(oldest);
      return;
    }
  }
}

/** A table whose records stay on disk; its indexes are made from what the journal keeps beside each record. */
export class DiskTable<N extends CollectionName> extends IndexedTable<N> {
  readonly #disk: DiskShelf<Records[N]>;

  constructor(collection: Collection<N>, hasher: TermHasher, options: DiskShelfOptions<Records[N]>) {
    const shelf = new DiskShelf<Records[N]>(options);
    super(collection, hasher, shelf as RecordStorage<Records[N]>);
    this.#disk = shelf;
  }

  /** Takes up a record that the journal has, unread. */
  restore(id: string, keys: IndexKeys, place: RecordLocation, revision: number): void {
    this.#disk.set(this.index.restore(id, keys), place, revision);
  }

  revisionOf(id: string): number | undefined {
    const slot = this.index.slotOf(id);
    return slot === undefined ? undefined : this.#disk.revisionAt(slot);
  }

  /** The ids of the records that are older than a revision. */
  olderThan(revision: number): string[] {
    return [...this.index.all]
      .filter((slot) => this.#disk.revisionAt(slot) < revision)
      .map((slot) => this.index.ids[slot] as string);
  }

  placeOf(id: string): RecordLocation | undefined {
    const slot = this.index.slotOf(id);
    return slot === undefined ? undefined : this.#disk.placeAt(slot);
  }

  /** Says that a record of this revision was moved; false when the table has another revision of it, or none. */
  move(id: string, revision: number, to: RecordLocation): boolean {
    const slot = this.index.slotOf(id);
    if (slot === undefined || this.#disk.revisionAt(slot) !== revision) return false;
    this.#disk.set(slot, to, revision);
    return true;
  }
}
