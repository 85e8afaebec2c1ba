/** Numbers in a block: so many are put into place in a millisecond or two. */
const BLOCK = 8192;

/**
 * Hashes of terms and the slots that have them, not yet in an index. Record after record (slot, how many, hashes) in
 * blocks, so that half a million of them cost little memory and no copying.
 */
export class DeferredTerms {
  readonly #blocks: Float64Array[] = [];
  /** Where the last block is free. */
  #end = 0;

  get isEmpty(): boolean {
    return this.#blocks.length === 0;
  }

  defer(hashes: number[], slot: number): void {
    let block = this.#blocks[this.#blocks.length - 1];
    if (block === undefined || this.#end + 2 + hashes.length > block.length) {
      block = new Float64Array(Math.max(BLOCK, 2 + hashes.length));
      this.#blocks.push(block);
      this.#end = 0;
    }
    let end = this.#end;
    block[end++] = slot;
    block[end++] = hashes.length;
    for (let i = 0; i < hashes.length; i += 1) block[end++] = hashes[i] as number;
    this.#end = end;
  }

  /** Takes out the blocks, one by one. */
  *blocks(): Generator<Float64Array> {
    for (let block = this.#blocks.shift(); block !== undefined; block = this.#blocks.shift()) yield block;
  }
}

/** What a block holds. Its end may be free: zeros, which say "no hashes". */
export function unpack(block: Float64Array, each: (hash: number, slot: number) => void): void {
  for (let at = 0; at + 1 < block.length; ) {
    const slot = block[at] as number;
    const end = at + 2 + (block[at + 1] as number);
    for (at += 2; at < end; at += 1) each(block[at] as number, slot);
  }
}
