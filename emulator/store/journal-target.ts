import { andThen, type MaybePromise, recover } from '../lib/maybe-promise.js';
import { forEachYielding, sharedTurn } from '../lib/turns.js';
import type { BatchStart, CommitTarget } from './commit-target.js';
import type { Compactor } from './compaction/compactor.js';
import type { LineLedger } from './compaction/line-ledger.js';
import type { RecordCipher } from './encryption.js';
import { StorageError } from './errors.js';
import type { Journal } from './journal/journal.js';
import { formatLine } from './journal/line.js';
import type { PendingChanges } from './pending-changes.js';
import type { RecordChange } from './record-change.js';
import type { Tables } from './tables/tables.js';

/** Bytes above which a batch takes no further commit. */
const BATCH_BYTES = 8 * 1024 * 1024;
/** Bytes that a commit may have by default. A segment must stay below 2 GiB, the most that a start can read at a time. */
const MAX_COMMIT_BYTES = 1024 ** 3;

interface JournalTargetOptions {
  journal: Journal;
  tables: Tables;
  ledger: LineLedger;
  compactor: Compactor;
  cipher: RecordCipher;
  maxCommitBytes?: number;
  /** Called when everything is written and the files are closed. */
  onClose(): Promise<void>;
}

/** Writes a batch as a group of lines, and applies it to the tables when it is durable. */
export class JournalTarget implements CommitTarget {
  readonly #start: BatchStart;
  #lines: Buffer[] = [];
  #bytes = 0;

  /** @param revision the highest one in use */
  constructor(
    private readonly options: JournalTargetOptions,
    revision: number,
  ) {
    this.#start = { committed: options.tables, revision };
  }

  get isBatchFull(): boolean {
    return this.#bytes >= BATCH_BYTES;
  }

  begin(): BatchStart {
    return this.#start;
  }

  add(changes: readonly RecordChange[]): MaybePromise<void> {
    const { maxCommitBytes = MAX_COMMIT_BYTES } = this.options;
    const lines: Buffer[] = [];
    let bytes = 0;
    const format = (change: RecordChange) => {
      const line = this.#format(change);
      bytes += line.length;
      if (bytes > maxCommitBytes) throw new RangeError(`more than ${maxCommitBytes} bytes`);
      lines.push(line);
    };
    const formatted = recover<void>(
      () => forEachYielding(changes, format, sharedTurn),
      (cause) => {
        throw new StorageError('A change cannot be serialized or is too large to be stored', { cause });
      },
    );
    return andThen(formatted, () => {
      for (const line of lines) this.#lines.push(line);
      this.#bytes += bytes;
    });
  }

  async write({ changes }: PendingChanges, revision: number): Promise<void> {
    const { journal, ledger, compactor, tables } = this.options;
    const lines = this.#lines;
    this.#lines = [];
    this.#bytes = 0;
    this.#start.revision = revision;
    const [first] = changes;
    const last = changes.at(-1);
    if (first === undefined || last === undefined) return;
    const locations = await journal.append(lines, [first.revision, last.revision]);
    changes.forEach((change, i) => {
      const line = locations[i];
      if (line) ledger.noteWritten(change, line);
      tables.apply(change, line);
    });
    compactor.noteChange();
  }

  async close(): Promise<void> {
    const { compactor, journal, onClose } = this.options;
    await compactor.close();
    try {
      await journal.close();
    } finally {
      await onClose();
    }
  }

  #format(change: RecordChange): Buffer {
    const { op, revision: rev } = change;
    if (op === 'put') {
      const { collection: put, record } = change;
      return formatLine({ rev, put, record: this.options.cipher.encrypt(put, record) });
    }
    if (op === 'remove') {
      const { collection: remove, tenantId: tenant, id } = change;
      return formatLine({ rev, remove, tenant, id });
    }
    const { tenantId: tenant } = change;
    return formatLine(tenant === undefined ? { rev, clear: 'everything' } : { rev, clear: 'tenant', tenant });
  }
}
