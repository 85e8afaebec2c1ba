import { COLLECTIONS, type Collection } from './collections.js';
import type { WriteAheadLog } from './commit-queue.js';
import type { Compactor } from './compaction/compactor.js';
import type { RecordCipher } from './encryption.js';
import type { Operation } from './operation.js';
import type { RecordLocation } from './record-location.js';
import type { CollectionName } from './records.js';
import type { Journal } from './wal/journal.js';
import type { Numbered } from './wal/line.js';
import { formatLine, formatPut } from './wal/line-codec.js';

export interface WriteAheadLogOptions {
  journal: Journal;
  compactor: Compactor;
  cipher: RecordCipher;
  logger: { warn(message: string): void };
  /** Called when everything is written and the files are closed. */
  onClose(): Promise<void>;
}

/** Writes operations as lines of the journal. */
export class DiskWriteAheadLog implements WriteAheadLog {
  readonly #options: WriteAheadLogOptions;

  constructor(options: WriteAheadLogOptions) {
    this.#options = options;
  }

  async write(commits: readonly Operation[][]): Promise<RecordLocation[]> {
    const { journal, compactor } = this.#options;
    const operations = commits.flat();
    const [first] = operations;
    const clearsAll = first?.op === 'clear' && first.tenantId === undefined;
    // What was written before is then in files that can be deleted whole.
    if (clearsAll) await journal.rotate();
    const lines = commits.flatMap((commit) =>
      commit.map((operation, i) =>
        this.#format(operation, commit.length > 1 ? [i, commit.length] : undefined),
      ),
    );
    const locations = await journal.append(lines);
    if (clearsAll) compactor.discardAllSegmentsBut(locations[0]?.segment ?? 0);
    operations.forEach((operation, i) => {
      compactor.noteWritten(operation, locations[i] as RecordLocation);
    });
    return locations;
  }

  afterApply(revision: number): void {
    this.#options.compactor.noteApplied(revision);
  }

  reportLost(entries: number, error: unknown): void {
    this.#options.logger.warn(`${entries} entries of the audit log could not be written: ${String(error)}`);
  }

  whilePaused<T>(task: () => Promise<T>): Promise<T> {
    return this.#options.compactor.whilePaused(task);
  }

  async close(): Promise<void> {
    await this.#options.compactor.close();
    await this.#options.journal.close();
    await this.#options.onClose();
  }

  #format(operation: Operation, part: Numbered['part']): string {
    const { op, revision: rev } = operation;
    if (op === 'put') {
      const { collection: put, tenantId: tenant, keys, record } = operation;
      const json = this.#options.cipher.encrypt(COLLECTIONS[put] as Collection<CollectionName>, record);
      return formatPut({ rev, part, put, tenant, id: record.id, ...keys }, json);
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
