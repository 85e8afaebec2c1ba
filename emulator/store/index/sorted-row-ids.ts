/** Slots per chunk: small enough that an insertion in the middle moves little, large enough that chunks stay few. */
const CHUNK = 512;
/** Places before the end where a new slot is looked for one by one: records of the same millisecond have no order. */
const NEAR_END = 24;

/**
 * Slots in an order that a comparison gives, first to last, with access by rank. New slots nearly always go to the end
 * (records are created in the order of time), anywhere else costs one chunk's worth of moving.
 */
export class SortedRowIds {
  size = 0;
  #chunks: number[][] = [];
  #bits: Uint32Array | undefined;
  readonly #compare: (a: number, b: number) => number;

  constructor(compare: (a: number, b: number) => number) {
    this.#compare = compare;
  }

  add(slot: number): void {
    this.size += 1;
    this.#mark(slot, true);
    if (this.#addNearEnd(slot)) return;
    const at = this.#chunkFor(slot);
    const chunk = this.#chunks[at];
    if (chunk === undefined) {
      this.#chunks.push([slot]);
      return;
    }
    const last = chunk[chunk.length - 1];
    if (last === undefined || this.#compare(last, slot) < 0) chunk.push(slot);
    else chunk.splice(this.#positionIn(chunk, slot), 0, slot);
    if (chunk.length > CHUNK) this.#split(at, chunk);
  }

  #addNearEnd(slot: number): boolean {
    const end = this.#chunks[this.#chunks.length - 1];
    if (end === undefined || end.length >= CHUNK) return false;
    const first = Math.max(0, end.length - NEAR_END);
    let at = end.length;
    while (at > first && this.#compare(end[at - 1] as number, slot) > 0) at -= 1;
    if (at === first) return false;
    end.push(slot);
    // Not splice, which makes an array of what it takes out.
    for (let i = end.length - 1; i > at; i -= 1) end[i] = end[i - 1] as number;
    end[at] = slot;
    return true;
  }

  /** The slot must still compare as it did when it was added. */
  remove(slot: number): void {
    const at = this.#chunkFor(slot);
    const chunk = this.#chunks[at];
    if (chunk === undefined) return;
    const position = this.#positionIn(chunk, slot);
    if (chunk[position] !== slot) return;
    this.size -= 1;
    this.#mark(slot, false);
    chunk.splice(position, 1);
    if (chunk.length === 0) this.#chunks.splice(at, 1);
  }

  has(slot: number): boolean {
    const chunk = this.#chunks[this.#chunkFor(slot)];
    return chunk !== undefined && chunk[this.#positionIn(chunk, slot)] === slot;
  }

  /** Up to `limit` slots after the last `offset` ones, from the last towards the first. */
  fromEnd(offset: number, limit: number): number[] {
    const slots: number[] = [];
    let skip = offset;
    for (let at = this.#chunks.length - 1; at >= 0 && slots.length < limit; at -= 1) {
      const chunk = this.#chunks[at] as number[];
      if (skip >= chunk.length) {
        skip -= chunk.length;
        continue;
      }
      for (let i = chunk.length - 1 - skip; i >= 0 && slots.length < limit; i -= 1) {
        slots.push(chunk[i] as number);
      }
      skip = 0;
    }
    return slots;
  }

  /** The same, of those slots alone that pass a test. */
  fromEndWhere(test: (slot: number) => boolean, offset: number, limit: number): number[] {
    const slots: number[] = [];
    let skip = offset;
    for (let at = this.#chunks.length - 1; at >= 0; at -= 1) {
      const chunk = this.#chunks[at] as number[];
      for (let i = chunk.length - 1; i >= 0; i -= 1) {
        const slot = chunk[i] as number;
        if (!test(slot)) continue;
        if (skip > 0) skip -= 1;
        else if (slots.push(slot) === limit) return slots;
      }
    }
    return slots;
  }

  /** The slots from the first for which `from` holds (as it does for all after it) up to the first for which `until` does. */
  *between(from: (slot: number) => boolean, until: (slot: number) => boolean): Generator<number> {
    let at = firstWhere(this.#chunks, (chunk) => from(chunk[chunk.length - 1] as number));
    let position = firstWhere(this.#chunks[at] ?? [], from);
    for (; at < this.#chunks.length; at += 1, position = 0) {
      const chunk = this.#chunks[at] as number[];
      for (; position < chunk.length; position += 1) {
        if (until(chunk[position] as number)) return;
        yield chunk[position] as number;
      }
    }
  }

  /** How many slots stand before the first one for which `from` holds. */
  rank(from: (slot: number) => boolean): number {
    const at = firstWhere(this.#chunks, (chunk) => from(chunk[chunk.length - 1] as number));
    let rank = firstWhere(this.#chunks[at] ?? [], from);
    for (let i = 0; i < at; i += 1) rank += (this.#chunks[i] as number[]).length;
    return rank;
  }

  *[Symbol.iterator](): Generator<number> {
    for (const chunk of this.#chunks) yield* chunk;
  }

  /** One bit per slot, made when first asked for and kept up to date from then on. Not to be changed. */
  bits(): Uint32Array {
    if (this.#bits === undefined) {
      this.#bits = new Uint32Array(64);
      for (const slot of this) this.#mark(slot, true);
    }
    return this.#bits;
  }

  #mark(slot: number, present: boolean): void {
    if (this.#bits === undefined) return;
    const word = slot >>> 5;
    if (word >= this.#bits.length) {
      const longer = new Uint32Array(Math.max(word + 1, this.#bits.length * 2));
      longer.set(this.#bits);
      this.#bits = longer;
    }
    const others = (this.#bits[word] as number) & ~(1 << (slot & 31));
    this.#bits[word] = present ? others | (1 << (slot & 31)) : others;
  }

  #split(at: number, chunk: number[]): void {
    // At the end of the list, full chunks stay full: what follows is appended.
    const keep = at === this.#chunks.length - 1 ? CHUNK : CHUNK / 2;
    this.#chunks.splice(at + 1, 0, chunk.splice(keep));
  }

  #chunkFor(slot: number): number {
    const last = this.#chunks.length - 1;
    const at = firstWhere(
      this.#chunks,
      (chunk) => this.#compare(chunk[chunk.length - 1] as number, slot) >= 0,
    );
    return Math.min(at, Math.max(last, 0));
  }

  #positionIn(chunk: number[], slot: number): number {
    return firstWhere(chunk, (other) => this.#compare(other, slot) >= 0);
  }
}

/** Index of the first item for which the test holds, as it must for all after it; the length when for none. */
function firstWhere<T>(items: T[], test: (item: T) => boolean): number {
  const last = items[items.length - 1];
  if (last === undefined || !test(last)) return items.length;
  let low = 0;
  let high = items.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(items[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
