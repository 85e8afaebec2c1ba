/** Patterns are found by a hash of their first characters. */
const MIN_PATTERN_CHARACTERS = 6;

const BASE = 31;
/** BASE to the power of the window, modulo 2^32. */
const LEAVING = Array.from({ length: MIN_PATTERN_CHARACTERS }).reduce<number>(
  (power) => Math.imul(power, BASE),
  1,
);
const FILTER_BITS = 20;

type Match<Item> = { start: number; end: number; item: Item };

/** Finds many patterns of at least `MIN_PATTERN_CHARACTERS` in one pass (Rabin–Karp). */
export class PatternIndex<Item> {
  /** By length: many patterns may begin alike, as the numbers of an issuer do. */
  readonly #byHash = new Map<number, Map<number, Map<string, Item>>>();
  /** Rules out most positions without a look into the map. */
  readonly #filter = new Uint8Array(1 << FILTER_BITS);

  add(pattern: string, item: Item): void {
    const hash = hashOf(pattern);
    const lengths = this.#byHash.get(hash) ?? new Map<number, Map<string, Item>>();
    const items = lengths.get(pattern.length) ?? new Map<string, Item>();
    if (!items.has(pattern)) items.set(pattern, item);
    this.#byHash.set(hash, lengths.set(pattern.length, items));
    this.#filter[slotOf(hash)] = 1;
  }

  remove(pattern: string): void {
    this.#byHash.get(hashOf(pattern))?.get(pattern.length)?.delete(pattern);
  }

  search(text: string): Match<Item>[] {
    const found: Match<Item>[] = [];
    if (text.length < MIN_PATTERN_CHARACTERS || this.#byHash.size === 0) return found;
    let hash = hashOf(text);
    for (let start = 0; ; start++) {
      if (this.#filter[slotOf(hash)] === 1) this.#compare(text, start, hash, found);
      const next = start + MIN_PATTERN_CHARACTERS;
      if (next >= text.length) return found;
      const leaving = Math.imul(text.charCodeAt(start), LEAVING);
      hash = (Math.imul(hash, BASE) + text.charCodeAt(next) - leaving) | 0;
    }
  }

  #compare(text: string, start: number, hash: number, found: Match<Item>[]): void {
    for (const [length, items] of this.#byHash.get(hash) ?? []) {
      const item = items.get(text.slice(start, start + length));
      if (item !== undefined) found.push({ start, end: start + length, item });
    }
  }
}

const slotOf = (hash: number): number => (hash ^ (hash >>> 12)) & ((1 << FILTER_BITS) - 1);

function hashOf(text: string): number {
  let hash = 0;
  for (let index = 0; index < MIN_PATTERN_CHARACTERS; index++)
    hash = (Math.imul(hash, BASE) + text.charCodeAt(index)) | 0;
  return hash;
}
