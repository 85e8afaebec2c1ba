/** What one list of a record keeps at most. */
const KEPT = { items: 1_000, bytes: 2 * 1024 ** 2 };

/** A part of a record. */
interface Part {
  /** Its place in the order of all parts of this process. */
  readonly number: number;
  /** About how much memory it takes now. */
  readonly bytes: number;
}

let last = 0;

/** Returns the number of a new part. */
export function nextNumber(): number {
  last += 1;
  return last;
}

const NONE: readonly never[] = [];

/** Parts of a record, the oldest first. The oldest are dropped when they are too many or too large. */
export class Parts<Item extends Part> {
  #items: readonly Item[] | Item[] = NONE;
  #bytes = 0;

  add(item: Item): void {
    // Most records have one part of a kind. An empty array would grow to 17 places for it.
    if (this.#items === NONE) this.#items = [item];
    else (this.#items as Item[]).push(item);
    this.#bytes += item.bytes;
    while (this.#items.length > 1 && (this.#items.length > KEPT.items || this.#bytes > KEPT.bytes))
      this.#bytes -= (this.#items as Item[]).shift()?.bytes ?? 0;
  }

  /** Counts an item that has grown. */
  grow(item: Item, bytes: number): void {
    if (this.#items.includes(item)) this.#bytes += bytes;
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  get bytes(): number {
    return this.#bytes;
  }

  clear(): void {
    this.#items = NONE;
    this.#bytes = 0;
  }
}
