import type { AdaptiveLimiter } from './adaptive-limiter.js';
import type { Checkpoint } from './checkpoint.js';
import type { RejectsFile } from './rejects.js';
import type { Reject, Row } from './row.js';

interface BulkJobOptions<R extends Row> {
  /** All rows, in the same order in every run; those that are done are skipped. */
  rows: AsyncIterable<R | Reject>;
  /** Rows per batch. */
  batch: number;
  limiter: AdaptiveLimiter;
  /**
   * Carries out the rows of a batch, which must be safe to repeat. @param maybeSent an earlier run may have sent them.
   * @returns the rows that the service refuses. @throws what ends the job.
   */
  process: (rows: readonly R[], maybeSent: boolean) => Promise<Reject[]>;
  committer: InOrderCommitter;
  checkpoint: Checkpoint;
  signal: AbortSignal;
  /** Called with the number of rows of each batch that is done, rejected ones included. */
  onProgress: (rows: number) => void;
}

/** Batches read ahead of the earliest one in flight. Bounds the memory if one takes long. */
const MAX_PENDING_BATCHES = 64;
/** Batches that the checkpoint reserves at a time, before the first of them is sent. */
const RESERVED_BATCHES = 100;

/** Reads rows and carries them out in concurrent batches that are committed in order. */
export class BulkJob<R extends Row> {
  #failure: { error: unknown } | undefined;
  #inFlight = new Set<Promise<void>>();
  /** Number of the last row that an earlier run may have sent. */
  readonly #maybeSentUpTo: number;

  constructor(private readonly options: BulkJobOptions<R>) {
    const { resumed, state } = options.checkpoint;
    this.#maybeSentUpTo = resumed ? state.reserved : 0;
  }

  /** Carries out all rows that are not done. @throws the first error; the checkpoint then has the progress so far. */
  async run(): Promise<void> {
    const { checkpoint, batch: size } = this.options;
    try {
      for await (const batch of groupRows(this.#remainingRows(), size)) {
        await this.#waitForTurn(batch);
        if (this.#failure) break;
        this.#start(batch);
      }
    } finally {
      await Promise.all(this.#inFlight);
      if (checkpoint.state.reserved > 0) await checkpoint.save();
    }
    if (this.#failure) throw this.#failure.error;
  }

  async *#remainingRows(): AsyncGenerator<R | Reject, void, void> {
    const { rows, checkpoint } = this.options;
    const { done } = checkpoint.state;
    for await (const row of rows) if (row.number > done) yield row;
  }

  async #waitForTurn({ last }: Batch<R>): Promise<void> {
    const { limiter, committer, checkpoint, batch: size, signal } = this.options;
    if (last > checkpoint.state.reserved) {
      checkpoint.state.reserved = last + size * RESERVED_BATCHES;
      await checkpoint.save();
    }
    while (committer.pending >= MAX_PENDING_BATCHES && !this.#failure) await Promise.race(this.#inFlight);
    await limiter.acquire();
    signal.throwIfAborted();
  }

  #start(batch: Batch<R>): void {
    this.options.committer.begin(batch.last);
    const work = this.#process(batch)
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        this.options.limiter.release();
        this.#inFlight.delete(work);
      });
    this.#inFlight.add(work);
  }

  async #process({ last, rows, rejects }: Batch<R>): Promise<void> {
    const { process, committer, onProgress } = this.options;
    const maybeSent = (rows[0]?.number ?? 0) <= this.#maybeSentUpTo;
    const rejected = await process(rows, maybeSent);
    const all = [...rejects, ...rejected].sort((one, other) => one.number - other.number);
    onProgress(rows.length + rejects.length);
    await committer.commit({ last, rejects: all });
  }
}

/** Rows that are sent together, and the invalid rows among them. */
export interface Batch<R extends Row> {
  /** Number of its last row. */
  last: number;
  rows: R[];
  rejects: Reject[];
}

/** Keeps requests far below the service's limit of 5 MB. */
const MAX_CHARACTERS = 1_000_000;

const isReject = (row: Row | Reject): row is Reject => 'reason' in row;

/** Groups rows by number and size. The same rows always result in the same batches. @param size Rows per batch. */
export async function* groupRows<R extends Row>(
  rows: AsyncIterable<R | Reject>,
  size: number,
): AsyncGenerator<Batch<R>, void, void> {
  let batch: Batch<R> = { last: 0, rows: [], rejects: [] };
  let characters = 0;
  for await (const row of rows) {
    batch.last = row.number;
    if (isReject(row)) batch.rejects.push(row);
    else {
      batch.rows.push(row);
      characters += JSON.stringify(row.record).length;
    }
    if (batch.rows.length + batch.rejects.length < size && characters < MAX_CHARACTERS) continue;
    yield batch;
    batch = { last: 0, rows: [], rejects: [] };
    characters = 0;
  }
  if (batch.last > 0) yield batch;
}

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
