const SMALLEST = 16;
const EMPTY = 0;

/**
 * From 53-bit hashes to small integers other than 0, without an object per entry: a hundred thousand tokens have half a
 * million terms. Open addressing; an entry that is removed draws those behind it back to their places.
 */
export class HashTable {
  #keys = new Float64Array(SMALLEST);
  #values = new Int32Array(SMALLEST);
  #size = 0;

  /** 0 when there is none. */
  get(key: number): number {
    return this.#values[this.#find(key)] as number;
  }

  set(key: number, value: number): void {
    const at = this.#find(key);
    if (this.#values[at] === EMPTY) this.#size += 1;
    this.#keys[at] = key;
    this.#values[at] = value;
    if (this.#size * 2 > this.#values.length) this.#grow();
  }

  delete(key: number): void {
    const mask = this.#values.length - 1;
    let hole = this.#find(key);
    if (this.#values[hole] === EMPTY) return;
    this.#size -= 1;
    for (let at = (hole + 1) & mask; this.#values[at] !== EMPTY; at = (at + 1) & mask) {
      const home = (this.#keys[at] as number) & mask;
      // May it stand in the hole: is its home not between the hole and where it stands?
      if (((at - home) & mask) < ((at - hole) & mask)) continue;
      this.#keys[hole] = this.#keys[at] as number;
      this.#values[hole] = this.#values[at] as number;
      hole = at;
    }
    this.#values[hole] = EMPTY;
  }

  /** Where a key is, or where it would be put. */
  #find(key: number): number {
    const mask = this.#values.length - 1;
    let at = key & mask;
    while (this.#values[at] !== EMPTY && this.#keys[at] !== key) at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    this.#keys = new Float64Array(keys.length * 2);
    this.#values = new Int32Array(values.length * 2);
    for (let i = 0; i < values.length; i += 1) {
      if (values[i] === EMPTY) continue;
      const at = this.#find(keys[i] as number);
      this.#keys[at] = keys[i] as number;
      this.#values[at] = values[i] as number;
    }
  }
}
