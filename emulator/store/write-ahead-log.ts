import type { BatchStart } from './commit-target.js';
import type { Compactor } from './compaction/compactor.js';
import type { RecordCipher } from './encryption.js';
import { StorageError } from './errors.js';
import type { LineLocation } from './line-location.js';
import type { LocalTarget } from './local-store.js';
import type { Operation } from './operation.js';
import type { Tables } from './tables/tables.js';
import type { Journal } from './wal/journal.js';
import { formatLine, type PutLine } from './wal/line.js';

/** Bytes above which a batch takes no further commit. */
const BATCH_BYTES = 8 * 1024 * 1024;
/** Bytes that a commit may have by default. A segment must stay below 2 GiB, the most that a start can read at a time. */
const MAX_COMMIT_BYTES = 1024 ** 3;

interface WriteAheadLogOptions {
  journal: Journal;
  tables: Tables;
  compactor: Compactor;
  cipher: RecordCipher;
  logger: { warn(message: string): void };
  /** Bytes that a commit may have. */
  maxCommitBytes?: number;
  /** Called when everything is written and the files are closed. */
  onClose(): Promise<void>;
}

/** Writes operations as lines of the journal, and applies them to the tables when they are durable. */
export class WriteAheadLog implements LocalTarget {
  readonly #options: WriteAheadLogOptions;
  readonly #start: BatchStart;
  /** The lines of the batch. */
  #lines: Buffer[] = [];
  #bytes = 0;

  /** @param revision the highest one in use */
  constructor(options: WriteAheadLogOptions, revision: number) {
    this.#options = options;
    this.#start = { committed: options.tables, revision };
  }

  get isBatchFull(): boolean {
    return this.#bytes >= BATCH_BYTES;
  }

  begin(): BatchStart {
    return this.#start;
  }

  add(operations: readonly Operation[]): void {
    const { maxCommitBytes = MAX_COMMIT_BYTES } = this.#options;
    const lines: Buffer[] = [];
    let bytes = 0;
    try {
      operations.forEach((operation, i) => {
        const line = this.#format(operation, operations.length > 1 ? [i, operations.length] : undefined);
        bytes += line.length;
        if (bytes > maxCommitBytes) throw new RangeError(`more than ${maxCommitBytes} bytes`);
        lines.push(line);
      });
    } catch (cause) {
      throw new StorageError('A change cannot be serialized or is too large to be stored', { cause });
    }
    for (const line of lines) this.#lines.push(line);
    this.#bytes += bytes;
  }

  async write(operations: readonly Operation[], revision: number): Promise<void> {
    const { compactor, tables } = this.#options;
    this.#start.revision = revision;
    if (operations.length === 0) return;
    const locations = await this.#append(operations);
    operations.forEach((operation, i) => {
      tables.apply(operation, locations[i]);
    });
    compactor.noteApplied(revision);
  }

  reportLost(entries: number, error: unknown): void {
    this.#options.logger.warn(
      `Entries of the audit log could not be written (${entries}): ${(error as Error).message}`,
    );
  }

  whilePaused<T>(task: () => Promise<T>): Promise<T> {
    return this.#options.compactor.whilePaused(task);
  }

  async close(): Promise<void> {
    await this.#options.compactor.close();
    await this.#options.journal.close();
    await this.#options.onClose();
  }

  /** Writes the lines of the batch, all or nothing, and begins the next. Returns where they are, in order. */
  async #append(operations: readonly Operation[]): Promise<LineLocation[]> {
    const { journal, compactor } = this.#options;
    const [first] = operations;
    const clearsAll = first?.op === 'clear' && first.tenantId === undefined;
    try {
      // What was written before is then in files that can be deleted whole.
      if (clearsAll) await journal.rotate();
      const locations = await journal.append(this.#lines);
      if (clearsAll) compactor.discardAllSegmentsBut(locations[0]?.segment ?? 0);
      operations.forEach((operation, i) => {
        compactor.noteWritten(operation, locations[i] as LineLocation);
      });
      return locations;
    } finally {
      this.#lines = [];
      this.#bytes = 0;
    }
  }

  #format(operation: Operation, part: PutLine['part']): Buffer {
    const { op, revision: rev } = operation;
    if (op === 'put') {
      const { collection: put, record } = operation;
      return formatLine({ rev, part, put, record: this.#options.cipher.encrypt(put, record) });
    }
    if (op === 'remove') {
      const { collection: remove, tenantId: tenant, id } = operation;
      return formatLine({ rev, part, remove, tenant, id });
    }
    const { tenantId: tenant } = operation;
    if (tenant === undefined) return formatLine({ rev, part, clear: 'everything' });
    return formatLine({ rev, part, clear: 'tenant', tenant });
  }
}
