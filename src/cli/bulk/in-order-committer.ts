import type { Checkpoint } from './checkpoint.js';
import type { RejectsFile } from './rejects.js';
import type { Reject } from './row.js';

/** What came of a batch. */
export interface Settled {
  last: number;
  count: number;
  rejects: Reject[];
}

const SAVE_INTERVAL_MS = 250;

/**
 * Takes what was done in any order and writes it down in the order of the source: first the rejected rows, then how far
 * the import has come. What is not written down is sent again by the next run, which is harmless.
 */
export class InOrderCommitter {
  /** Batches in the order of the source; undefined while one is under way. */
  #batches = new Map<number, Settled | undefined>();
  #writing: Promise<void> = Promise.resolve();
  #savedAt = 0;

  constructor(
    private readonly checkpoint: Checkpoint,
    private readonly rejectsFile: RejectsFile | undefined,
    private readonly onReject: (reject: Reject) => void,
  ) {}

  /** Batches that wait for an earlier one, or are under way. */
  get pending(): number {
    return this.#batches.size;
  }

  begin(last: number): void {
    this.#batches.set(last, undefined);
  }

  settle(settled: Settled): Promise<void> {
    this.#batches.set(settled.last, settled);
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    for (const [last, settled] of this.#batches) {
      if (!settled) break;
      this.#batches.delete(last);
      await this.#writeDown(settled);
    }
    if (performance.now() - this.#savedAt < SAVE_INTERVAL_MS) return;
    this.#savedAt = performance.now();
    await this.checkpoint.save();
  }

  async #writeDown({ last, count, rejects }: Settled): Promise<void> {
    const { state } = this.checkpoint;
    await this.rejectsFile?.add(rejects);
    rejects.forEach(this.onReject);
    state.done = last;
    state.imported += count - rejects.length;
    state.rejected += rejects.length;
    state.rejects_bytes = this.rejectsFile?.bytes ?? 0;
  }
}
