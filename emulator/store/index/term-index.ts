import { SlotList } from './slot-list.js';

/**
 * From the hash of a term to the slots that have it. Most terms (a fingerprint, a customer's id) belong to one record
 * alone, so a single slot is kept as a bare number.
 */
export class TermIndex {
  readonly #slots = new Map<number, number | SlotList>();
  readonly #compare: (a: number, b: number) => number;

  constructor(compare: (a: number, b: number) => number) {
    this.#compare = compare;
  }

  get(hash: number): number | SlotList | undefined {
    return this.#slots.get(hash);
  }

  add(hash: number, slot: number): void {
    const known = this.#slots.get(hash);
    if (known === undefined) this.#slots.set(hash, slot);
    else if (typeof known !== 'number') known.add(slot);
    else {
      const list = new SlotList(this.#compare);
      list.add(known);
      list.add(slot);
      this.#slots.set(hash, list);
    }
  }

  remove(hash: number, slot: number): void {
    const known = this.#slots.get(hash);
    if (known === slot) this.#slots.delete(hash);
    if (known === undefined || typeof known === 'number') return;
    known.remove(slot);
    if (known.size === 0) this.#slots.delete(hash);
  }
}
