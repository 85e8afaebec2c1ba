import type { AdaptiveLimiter } from './adaptive-limiter.js';
import { type Batch, groupRows } from './batches.js';
import type { Checkpoint } from './checkpoint.js';
import { toImportRow } from './import-rows.js';
import type { InOrderCommitter } from './in-order-committer.js';
import type { ImportRow, Reject, SourceRow } from './row.js';
import type { Uploader } from './uploader.js';

export interface ImportOptions {
  rows: AsyncIterable<SourceRow>;
  /** Token type of rows that have none. */
  type: string | undefined;
  /** Rows per request. */
  batch: number;
  limiter: AdaptiveLimiter;
  uploader: Uploader;
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

async function* readRemaining({ rows, type, checkpoint }: ImportOptions): AsyncGenerator<ImportRow | Reject> {
  const { done, import_id } = checkpoint.state;
  for await (const row of rows) if (row.number > done) yield toImportRow(row, import_id, type);
}

/** Reads, uploads and commits batches concurrently. */
export class Importer {
  #failure: { error: unknown } | undefined;
  #inFlight = new Set<Promise<void>>();
  /** Number of the last row that an earlier run may have sent. */
  readonly #maybeSentUpTo: number;

  constructor(private readonly options: ImportOptions) {
    const { resumed, state } = options.checkpoint;
    this.#maybeSentUpTo = resumed ? state.reserved : 0;
  }

  /** Imports all rows that are not done. @throws the first error; the checkpoint then has the progress so far. */
  async run(): Promise<void> {
    const { checkpoint, batch: size } = this.options;
    try {
      for await (const batch of groupRows(readRemaining(this.options), size)) {
        await this.#waitForTurn(batch);
        if (this.#failure) break;
        this.#start(batch);
      }
    } finally {
      await Promise.all(this.#inFlight);
      await checkpoint.save();
    }
    if (this.#failure) throw this.#failure.error;
  }

  async #waitForTurn({ last }: Batch): Promise<void> {
    const { limiter, committer, checkpoint, batch: size, signal } = this.options;
    if (last > checkpoint.state.reserved) {
      checkpoint.state.reserved = last + size * RESERVED_BATCHES;
      await checkpoint.save();
    }
    while (committer.pending >= MAX_PENDING_BATCHES && !this.#failure) await Promise.race(this.#inFlight);
    await limiter.acquire();
    signal.throwIfAborted();
  }

  #start(batch: Batch): void {
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

  async #process({ last, rows, rejects }: Batch): Promise<void> {
    const { uploader, committer, onProgress } = this.options;
    const maybeSent = (rows[0]?.number ?? 0) <= this.#maybeSentUpTo;
    const rejected = await uploader.upload(rows, maybeSent);
    const all = [...rejects, ...rejected].sort((one, other) => one.number - other.number);
    const count = rows.length + rejects.length;
    onProgress(count);
    await committer.commit({ last, count, rejects: all });
  }
}
