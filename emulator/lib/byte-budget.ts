/** Bytes of a body or response that takes no room, and is handled in no time. */
export const SMALL_BYTES = 65_536;

/** Bytes that the large bodies of one budget may have together; as many as the longest tenant file. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Counts the bytes of large bodies that several requests hold. What is over the budget is refused, not queued. */
export class ByteBudget {
  #held = 0;

  /** @returns whether the bytes were taken; if not, they would have been too many */
  take(bytes: number): boolean {
    if (this.#held + bytes > MAX_BYTES) return false;
    this.#held += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}
