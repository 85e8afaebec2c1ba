import type { Checkpoint } from './checkpoint.js';
import type { RejectsFile } from './rejects.js';
import type { Reject } from './row.js';

/** The outcome of a batch. */
interface CompletedBatch {
  /** Number of its last row. */
  last: number;
  rejects: Reject[];
}

const SAVE_INTERVAL_MS = 250;

/**
 * Commits batches that complete in any order in the order of the source: first the rejected rows, then the progress.
 * The next run sends batches again that were not committed, which is harmless.
 */
export class InOrderCommitter {
  /** By last row, in the order of the source; undefined while the batch is in flight. */
  #batches = new Map<number, CompletedBatch | undefined>();
  #writing: Promise<void> = Promise.resolve();
  #savedAt = 0;

  constructor(
    private readonly checkpoint: Checkpoint,
    private readonly rejectsFile: RejectsFile | undefined,
    private readonly onReject: (reject: Reject) => void,
  ) {}

  /** Number of batches that are in flight or wait for an earlier one. */
  get pending(): number {
    return this.#batches.size;
  }

  /** Adds a batch in the order of the source. @param last Number of its last row. */
  begin(last: number): void {
    this.#batches.set(last, undefined);
  }

  /** Completes a batch; resolves when all batches that can be committed are written. */
  commit(batch: CompletedBatch): Promise<void> {
    this.#batches.set(batch.last, batch);
    this.#writing = this.#writing.then(() => this.#flush());
    return this.#writing;
  }

  async #flush(): Promise<void> {
    for (const [last, batch] of this.#batches) {
      if (!batch) break;
      this.#batches.delete(last);
      await this.#write(batch);
    }
    if (performance.now() - this.#savedAt < SAVE_INTERVAL_MS) return;
    this.#savedAt = performance.now();
    await this.checkpoint.save();
  }

  async #write({ last, rejects }: CompletedBatch): Promise<void> {
    const { state } = this.checkpoint;
    await this.rejectsFile?.append(rejects);
    rejects.forEach(this.onReject);
    state.done = last;
    state.rejected += rejects.length;
    state.rejects_bytes = this.rejectsFile?.bytes ?? 0;
  }
}
