/** Patterns are found by a hash of their first characters. */
const MIN_PATTERN_CHARACTERS = 6;

const BASE = 31;
/** BASE to the power of the window, modulo 2^32. */
const LEAVING = Array.from({ length: MIN_PATTERN_CHARACTERS }).reduce<number>(
  (power) => Math.imul(power, BASE),
  1,
);
const FILTER_BITS = 20;

interface Match<Item> {
  start: number;
  end: number;
  item: Item;
}

/**
 * Finds many patterns in a text in one pass (Rabin–Karp): time proportional to the text, memory to the patterns. Each has at
 * least `MIN_PATTERN_CHARACTERS`.
 */
export class PatternIndex<Item> {
  readonly #byHash = new Map<number, { pattern: string; item: Item }[]>();
  /** Rules out most positions without a look into the map. */
  readonly #filter = new Uint8Array(1 << FILTER_BITS);

  constructor(patterns: Iterable<[pattern: string, item: Item]>) {
    for (const [pattern, item] of patterns) {
      const hash = hashOf(pattern);
      const same = this.#byHash.get(hash) ?? [];
      this.#byHash.set(hash, same);
      if (same.some((one) => one.pattern === pattern)) continue;
      same.push({ pattern, item });
      this.#filter[slotOf(hash)] = 1;
    }
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
    for (const { pattern, item } of this.#byHash.get(hash) ?? [])
      if (text.startsWith(pattern, start)) found.push({ start, end: start + pattern.length, item });
  }
}

const slotOf = (hash: number): number => (hash ^ (hash >>> 12)) & ((1 << FILTER_BITS) - 1);

function hashOf(text: string): number {
  let hash = 0;
  for (let index = 0; index < MIN_PATTERN_CHARACTERS; index++)
    hash = (Math.imul(hash, BASE) + text.charCodeAt(index)) | 0;
  return hash;
}
