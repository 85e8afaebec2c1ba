import type { IndexKeys } from './index-keys.js';
import { SortedRowIds } from './sorted-row-ids.js';
import { TermIndex } from './term-index.js';

/**
 * The indexes over the records of one collection and tenant. A record is a slot, a small number that is used again when
 * the record is gone; what else is known of it lies in arrays by slot.
 */
export class RecordIndex {
  readonly ids: string[] = [];
  readonly created: number[] = [];
  readonly terms: TermIndex;
  readonly #slots = new Map<string, number>();
  readonly #free: number[] = [];
  /** First to last is oldest to newest, and of the same age `id` descending: lists are read from the end. */
  readonly all: SortedRowIds;
  readonly #compare = (a: number, b: number): number =>
    this.#created(a) - this.#created(b) || (this.#id(a) < this.#id(b) ? 1 : a === b ? 0 : -1);
  readonly #times: { values: Map<number, number>; slots: SortedRowIds }[];

  constructor(orderedTerms: number) {
    this.all = new SortedRowIds(this.#compare);
    this.terms = new TermIndex(this.#compare);
    this.#times = Array.from({ length: orderedTerms }, () => {
      const values = new Map<number, number>();
      const at = (slot: number) => values.get(slot) ?? 0;
      return { values, slots: new SortedRowIds((a, b) => at(a) - at(b) || a - b) };
    });
  }

  get size(): number {
    return this.#slots.size;
  }

  /** One more than the highest slot ever used. */
  get capacity(): number {
    return this.ids.length;
  }

  slotOf(id: string): number | undefined {
    return this.#slots.get(id);
  }

  add(id: string, keys: IndexKeys): number {
    const slot = this.#addSlot(id, keys);
    this.#addTerms(slot, keys);
    return slot;
  }

  /** As `add`, of a record that a start finds: its terms follow soon, or when one is asked for. */
  restore(id: string, keys: IndexKeys): number {
    const slot = this.#addSlot(id, keys);
    this.terms.defer(keys.hashes, slot);
    return slot;
  }

  #addSlot(id: string, keys: IndexKeys): number {
    const slot = this.#free.pop() ?? this.ids.length;
    this.ids[slot] = id;
    this.created[slot] = keys.created;
    this.#slots.set(id, slot);
    this.all.add(slot);
    this.#addTimes(slot, keys);
    return slot;
  }

  /** `old` are the keys the record was added with. */
  update(slot: number, old: IndexKeys, keys: IndexKeys): void {
    this.#removeKeys(slot, old);
    if (old.created !== keys.created) {
      this.all.remove(slot);
      this.created[slot] = keys.created;
      this.all.add(slot);
    }
    this.#addTimes(slot, keys);
    this.#addTerms(slot, keys);
  }

  remove(slot: number, old: IndexKeys): void {
    this.#removeKeys(slot, old);
    this.all.remove(slot);
    this.#slots.delete(this.#id(slot));
    this.ids[slot] = '';
    this.#free.push(slot);
  }

  /** The slots whose time (-1: of creation) lies in a range: `from` holds from the first one on, `until` after the last one. */
  between(term: number, from: (time: number) => boolean, until: (time: number) => boolean): Iterable<number> {
    const times = this.#times[term];
    const at = (slot: number) => (times === undefined ? this.#created(slot) : (times.values.get(slot) ?? 0));
    return (times?.slots ?? this.all).between(
      (slot) => from(at(slot)),
      (slot) => until(at(slot)),
    );
  }

  /** In the order of lists. */
  compare(a: number, b: number): number {
    return this.#compare(b, a);
  }

  #addTerms(slot: number, keys: IndexKeys): void {
    for (const hash of keys.hashes) this.terms.add(hash, slot);
  }

  #addTimes(slot: number, keys: IndexKeys): void {
    for (let term = 0; term < keys.times.length; term += 1) {
      const time = keys.times[term] as number;
      const times = this.#times[term];
      if (time === 0 || times === undefined) continue;
      times.values.set(slot, time);
      times.slots.add(slot);
    }
  }

  #removeKeys(slot: number, keys: IndexKeys): void {
    for (const hash of keys.hashes) this.terms.remove(hash, slot);
    keys.times.forEach((time, term) => {
      const times = this.#times[term];
      if (time === 0 || times === undefined) return;
      times.slots.remove(slot);
      times.values.delete(slot);
    });
  }

  #created(slot: number): number {
    return this.created[slot] as number;
  }

  #id(slot: number): string {
    return this.ids[slot] as string;
  }
}
