import type { AdaptiveLimiter } from './adaptive-limiter.js';
import type { Batch } from './batches.js';
import { batchesOf } from './batches.js';
import type { Checkpoint } from './checkpoint.js';
import { toImportRow } from './import-rows.js';
import type { InOrderCommitter } from './in-order-committer.js';
import type { ImportRow, Reject, SourceRow } from './row.js';
import type { Uploader } from './uploader.js';

export interface ImportOptions {
  rows: AsyncIterable<SourceRow>;
  /** Type of rows that name none. */
  type: string | undefined;
  /** Rows per request. */
  batch: number;
  limiter: AdaptiveLimiter;
  uploader: Uploader;
  committer: InOrderCommitter;
  checkpoint: Checkpoint;
  signal: AbortSignal;
  /** Told how many rows are done, refused ones among them. */
  onProgress: (rows: number) => void;
}

/** Batches read ahead of the earliest one under way: what bounds the memory when one takes long. */
const WINDOW = 64;
/** Rows that are announced in the checkpoint at a time, before the first of them is sent. */
const RESERVED_BATCHES = 100;

async function* unfinished({ rows, type, checkpoint }: ImportOptions): AsyncGenerator<ImportRow | Reject> {
  const { done, import_id } = checkpoint.state;
  for await (const row of rows) if (row.number > done) yield toImportRow(row, import_id, type);
}

/** Reads, sends and writes down, each as fast as the others let it. */
export class Importer {
  #failure: { error: unknown } | undefined;
  #underWay = new Set<Promise<void>>();
  /** Rows that an earlier run may have sent. */
  readonly #doubtfulUpTo: number;

  constructor(private readonly options: ImportOptions) {
    const { resumed, state } = options.checkpoint;
    this.#doubtfulUpTo = resumed ? state.reserved : 0;
  }

  /** @throws what ended it early; the checkpoint then says how far it came. */
  async run(): Promise<void> {
    const { checkpoint, batch: size } = this.options;
    try {
      for await (const batch of batchesOf(unfinished(this.options), size)) {
        await this.#admit(batch);
        if (this.#failure) break;
        this.#start(batch);
      }
    } finally {
      await Promise.all(this.#underWay);
      await checkpoint.save();
    }
    if (this.#failure) throw this.#failure.error;
  }

  async #admit({ last }: Batch): Promise<void> {
    const { limiter, committer, checkpoint, batch: size, signal } = this.options;
    if (last > checkpoint.state.reserved) {
      checkpoint.state.reserved = last + size * RESERVED_BATCHES;
      await checkpoint.save();
    }
    while (committer.pending >= WINDOW && !this.#failure) await Promise.race(this.#underWay);
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
        this.#underWay.delete(work);
      });
    this.#underWay.add(work);
  }

  async #process({ last, rows, rejects }: Batch): Promise<void> {
    const { uploader, committer, onProgress } = this.options;
    const inDoubt = (rows[0]?.number ?? 0) <= this.#doubtfulUpTo;
    const refused = await uploader.upload(rows, inDoubt);
    const all = [...rejects, ...refused].sort((one, other) => one.number - other.number);
    const count = rows.length + rejects.length;
    onProgress(count);
    await committer.settle({ last, count, rejects: all });
  }
}
