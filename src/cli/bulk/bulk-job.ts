import pLimit from 'p-limit';
import type { Checkpoint } from './checkpoint.js';
import type { ImportRow, Reject } from './row.js';

interface BulkJobOptions {
  /** All rows, in the same order in every run; those that are done are skipped. */
  rows: AsyncIterable<ImportRow | Reject>;
  /** Rows per batch. */
  batch: number;
  /** Batches in flight. */
  concurrency: number;
  /** Carries out a batch, which must be safe to repeat. Returns what the service refuses. @param maybeSent by an earlier run */
  process: (rows: readonly ImportRow[], maybeSent: boolean) => Promise<Reject[]>;
  checkpoint: Checkpoint;
  signal: AbortSignal;
  /** Records rejected rows, in the order of the source, before the progress is saved. @returns the length of the rejects file */
  reject: (rejects: readonly Reject[]) => Promise<number>;
  /** Called with the number of rows of each batch that is done, rejected ones included. */
  onProgress: (rows: number) => void;
}

/** Batches read ahead of the earliest one in flight. Bounds the memory if one takes long. */
const MAX_PENDING_BATCHES = 64;
/** Batches that the checkpoint reserves at a time, before the first of them is sent. */
const RESERVED_BATCHES = 100;
const SAVE_INTERVAL_MS = 250;

/** Commits rows in the order of the source: first the rejects, then the progress. What was not committed is repeated, which is harmless. */
export class BulkJob {
  /** Settles when all batches so far are committed. */
  #committed: Promise<void> = Promise.resolve();
  #hasFailed = false;
  #savedAt = 0;
  readonly #maybeSentUpTo: number;

  constructor(private readonly options: BulkJobOptions) {
    this.#maybeSentUpTo = options.checkpoint.state.reserved;
  }

  /** Carries out all rows that are not done. @throws the first error; the checkpoint then has the progress so far. */
  async run(): Promise<void> {
    const { checkpoint, concurrency, signal } = this.options;
    const limit = pLimit(concurrency);
    const pending: Promise<void>[] = [];
    try {
      for await (const batch of groupRows(this.options)) {
        await this.#reserve(batch.last);
        if (pending.length >= MAX_PENDING_BATCHES) await pending.shift();
        signal.throwIfAborted();
        if (this.#hasFailed) break;
        this.#committed = this.#commit(
          batch.last,
          this.#committed,
          limit(() => this.#carryOut(batch)),
        );
        this.#committed.catch(() => {});
        pending.push(this.#committed);
      }
    } finally {
      await Promise.allSettled([this.#committed]);
      if (checkpoint.state.reserved > 0) await checkpoint.save();
    }
    await this.#committed;
  }

  /** Saves that rows up to this one may have been sent. */
  async #reserve(last: number): Promise<void> {
    const { checkpoint, batch: size } = this.options;
    if (last <= checkpoint.state.reserved) return;
    checkpoint.state.reserved = last + size * RESERVED_BATCHES;
    await checkpoint.save();
  }

  async #carryOut({ rows, rejects }: Batch): Promise<Reject[]> {
    const { process, signal, onProgress } = this.options;
    try {
      signal.throwIfAborted();
      // Batches begin in order: what still waits comes after the one that failed, and is not committed.
      if (this.#hasFailed) throw new Error('An earlier batch failed.');
      const rejected = await process(rows, (rows[0]?.number ?? 0) <= this.#maybeSentUpTo);
      onProgress(rows.length + rejects.length);
      return [...rejects, ...rejected].sort((one, other) => one.number - other.number);
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    }
  }

  async #commit(last: number, before: Promise<void>, outcome: Promise<Reject[]>): Promise<void> {
    const [earlier, own] = await Promise.allSettled([before, outcome]);
    if (earlier.status === 'rejected') throw earlier.reason;
    if (own.status === 'rejected') throw own.reason;
    const { checkpoint, reject } = this.options;
    const { state } = checkpoint;
    state.rejects_bytes = await reject(own.value);
    state.done = last;
    state.rejected += own.value.length;
    if (performance.now() - this.#savedAt < SAVE_INTERVAL_MS) return;
    this.#savedAt = performance.now();
    await checkpoint.save();
  }
}

export interface Batch {
  last: number;
  rows: ImportRow[];
  rejects: Reject[];
}

/** Keeps requests far below the service's limit of 5 MB. */
const MAX_CHARACTERS = 1_000_000;

/** Groups the rows that are not done by number and size. The same rows always result in the same batches. */
async function* groupRows({
  rows,
  batch: size,
  checkpoint,
}: BulkJobOptions): AsyncGenerator<Batch, void, void> {
  const { done } = checkpoint.state;
  let batch: Batch = { last: 0, rows: [], rejects: [] };
  let characters = 0;
  for await (const row of rows) {
    if (row.number <= done) continue;
    batch.last = row.number;
    if ('reason' in row) batch.rejects.push(row);
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
