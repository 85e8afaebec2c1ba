import { ByteBudget } from '../../lib/byte-budget.js';

/** Bytes of a body that takes no room while its request is handled. */
const SMALL_BODY_BYTES = 65_536;
/** Bytes that the large bodies of all destinations may have together. */
const budget = new ByteBudget(256 * 1024 * 1024);

/**
 * Counts the bytes of a destination's response as they arrive, until the request is over. A destination may send without end, and
 * slowly, to any number of requests.
 */
export class ReceivedBody {
  #bytes = 0;
  #held = 0;
  isRefused = false;

  /** @returns whether the next bytes may be kept; if not, the large bodies of all destinations would be too long together */
  readonly keep = (bytes: number): boolean => {
    this.#bytes += bytes;
    const more = this.#bytes > SMALL_BODY_BYTES ? this.#bytes - this.#held : 0;
    this.isRefused = !budget.take(more);
    if (!this.isRefused) this.#held += more;
    return !this.isRefused;
  };

  release(): void {
    budget.release(this.#held);
    this.#held = 0;
  }
}
