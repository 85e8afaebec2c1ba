import { COLLECTIONS, type Collection } from '../collections.js';
import type { WriteAheadLog } from '../commit-queue.js';
import type { Compactor } from '../compaction/compactor.js';
import type { RecordCipher } from '../encryption.js';
import { type IndexKeys, indexKeys } from '../index/index-keys.js';
import type { TermHasher } from '../index/term-hash.js';
import type { Logger } from '../logger.js';
import type { Operation } from '../operation.js';
import type { IndexedLocation } from '../record-location.js';
import type { CollectionName, Records } from '../records.js';
import type { Journal } from './journal.js';
import { type ClearLine, formatLine, formatPut, type Line, type Numbered } from './line-codec.js';

export interface RecorderOptions {
  journal: Journal;
  housekeeping: Compactor;
  hasher: TermHasher;
  sealing: RecordCipher;
  logger: Logger;
  /** Called when everything is written and forgotten. */
  onClose(): Promise<void>;
}

/** Writes operations as lines of the journal. */
export class DiskWriteAheadLog implements WriteAheadLog {
  readonly #options: RecorderOptions;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  async write(commits: Operation[][]): Promise<IndexedLocation[]> {
    const { journal, housekeeping } = this.#options;
    const [first] = commits[0] ?? [];
    const clearsAll = first?.op === 'clear' && first.tenantId === undefined;
    // Whatever stood before is then in files that can be deleted whole.
    if (clearsAll) await journal.rotate();
    const lines: Line[] = [];
    const keys: (IndexKeys | undefined)[] = [];
    for (const operations of commits) {
      for (let at = 0; at < operations.length; at += 1) {
        const written = this.#line(operations[at] as Operation, part(at, operations.length));
        lines.push(written.line);
        keys.push(written.keys);
      }
    }
    const places: IndexedLocation[] = await journal.append(lines);
    if (clearsAll) housekeeping.forgetAllSegmentsBut(places[0]?.segment ?? 0);
    let at = 0;
    for (const operations of commits) {
      for (const operation of operations) {
        const place = places[at] as IndexedLocation;
        place.keys = keys[at];
        housekeeping.written(operation, place);
        at += 1;
      }
    }
    return places;
  }

  applied(revision: number): void {
    this.#options.housekeeping.applied(revision);
  }

  lost(entries: number, error: unknown): void {
    this.#options.logger.warn(`${entries} entries of the audit log could not be written: ${String(error)}`);
  }

  undisturbed<T>(task: () => Promise<T>): Promise<T> {
    return this.#options.housekeeping.undisturbed(task);
  }

  async close(): Promise<void> {
    await this.#options.housekeeping.close();
    await this.#options.journal.close();
    await this.#options.onClose();
  }

  #line(operation: Operation, part: Part): Formatted {
    if (operation.op === 'put') return this.#putLine(operation, part);
    const { op, tenantId, revision: rev } = operation;
    if (op === 'clear') return { line: formatLine(clearLine(tenantId, { rev, part })) };
    const { collection: remove, id } = operation;
    return { line: formatLine({ rev, part, remove, tenant: tenantId, id }) };
  }

  #putLine(
    { collection: name, tenantId: tenant, record, prepared }: Extract<Operation, { op: 'put' }>,
    part: Part,
  ): Formatted {
    const { sealing } = this.#options;
    const collection = COLLECTIONS[name] as Collection<CollectionName>;
    const keys = prepared?.keys ?? this.#keys(collection, record);
    if (prepared !== undefined) prepared.keys = keys;
    const line = formatPut(
      { rev: record.revision, part, put: name, tenant, id: record.id },
      keys,
      sealing.write(collection, record as never, prepared?.json),
    );
    return { line, keys };
  }

  #keys(collection: Collection<CollectionName>, record: Records[CollectionName]): IndexKeys {
    // What is answered by looking at each record needs none.
    return collection.keepLast === undefined ? indexKeys(collection, this.#options.hasher, record) : NO_KEYS;
  }
}

interface Formatted {
  line: Line;
  keys?: IndexKeys;
}

type Part = Numbered['part'];

function part(at: number, of: number): Part {
  return of === 1 ? undefined : [at, of];
}

const NO_KEYS: IndexKeys = { created: 0, times: [], hashes: [] };

function clearLine(tenant: string | undefined, numbered: Numbered): ClearLine {
  return tenant === undefined
    ? { ...numbered, clear: 'everything' }
    : { ...numbered, clear: 'tenant', tenant };
}
