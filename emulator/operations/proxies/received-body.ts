import { ByteBudget, SMALL_BYTES } from '../../lib/byte-budget.js';

const budget = new ByteBudget();

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
    const more = this.#bytes > SMALL_BYTES ? this.#bytes - this.#held : 0;
    this.isRefused = !budget.take(more);
    if (!this.isRefused) this.#held += more;
    return !this.isRefused;
  };

  release(): void {
    budget.release(this.#held);
    this.#held = 0;
  }
}
