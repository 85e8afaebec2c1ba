import { inSlices } from '../yielding.js';
import { DeferredTerms, unpack } from './deferred-terms.js';
import { HashTable } from './hash-table.js';
import { SortedRowIds } from './sorted-row-ids.js';

/** Milliseconds after which the backlog of a start is taken up. */
const LATER_MS = 1000;

/**
 * From the hash of a term to the slots that have it. Most terms (a fingerprint, a customer's id) belong to one record
 * alone: that slot stands in the table itself, as slot + 1; a list of several as the negative of its number + 1.
 *
 * A start leaves the terms of what it finds in a backlog, which is a fifth of the start of a hundred thousand records. They
 * are put into place beside other work a little later, or when one is asked for before.
 */
export class TermIndex {
  readonly #table = new HashTable();
  readonly #lists: (SortedRowIds | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #backlog = new DeferredTerms();
  readonly #compare: (a: number, b: number) => number;
  #ready: Promise<void> | undefined;
  #later: NodeJS.Timeout | undefined;

  constructor(compare: (a: number, b: number) => number) {
    this.#compare = compare;
  }

  /** To be awaited before `get`, when it gives a promise: so that others get their turn meanwhile. */
  prepare(): Promise<void> | undefined {
    if (this.#backlog.isEmpty) return this.#ready;
    this.#ready ??= inSlices(this.#backlog.blocks(), this.#takeUp).then(() => {
      this.#ready = undefined;
    });
    return this.#ready;
  }

  get(hash: number): number | SortedRowIds | undefined {
    this.#settle();
    const entry = this.#table.get(hash);
    if (entry === 0) return undefined;
    return entry > 0 ? entry - 1 : this.#lists[-entry - 1];
  }

  /** As `add` of each, but not at once. */
  defer(hashes: number[], slot: number): void {
    this.#later ??= setTimeout(() => void this.prepare(), LATER_MS).unref();
    this.#backlog.defer(hashes, slot);
  }

  add(hash: number, slot: number): void {
    const entry = this.#table.get(hash);
    if (entry === 0) this.#table.set(hash, slot + 1);
    else if (entry < 0) (this.#lists[-entry - 1] as SortedRowIds).add(slot);
    else this.#table.set(hash, -this.#newList(entry - 1, slot) - 1);
  }

  remove(hash: number, slot: number): void {
    this.#settle();
    const entry = this.#table.get(hash);
    if (entry === slot + 1) this.#table.delete(hash);
    if (entry >= 0) return;
    const list = this.#lists[-entry - 1] as SortedRowIds;
    list.remove(slot);
    if (list.size > 0) return;
    this.#lists[-entry - 1] = undefined;
    this.#free.push(-entry - 1);
    this.#table.delete(hash);
  }

  #settle(): void {
    for (const block of this.#backlog.blocks()) this.#takeUp(block);
  }

  readonly #takeUp = (block: Float64Array): void => {
    unpack(block, (hash, slot) => this.add(hash, slot));
  };

  #newList(...slots: number[]): number {
    const list = new SortedRowIds(this.#compare);
    for (const slot of slots) list.add(slot);
    const number = this.#free.pop() ?? this.#lists.length;
    this.#lists[number] = list;
    return number;
  }
}
