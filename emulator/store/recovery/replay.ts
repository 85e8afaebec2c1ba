import { COLLECTION_NAMES, COLLECTIONS } from '../collections.js';
import type { Compactor } from '../compaction/compactor.js';
import { DOCUMENT_COLLECTIONS, type Documents } from '../documents.js';
import type { RecordLocation } from '../record-location.js';
import type { CollectionName, Records } from '../records.js';
import { BoundedLogTable } from '../tables/bounded-log-table.js';
import { IndexedTable, type StoredRow } from '../tables/indexed-table.js';
import type { Tables } from '../tables/tables.js';
import type { Journal } from '../wal/journal.js';
import type { ClearLine, PutLine, RemoveLine } from '../wal/line.js';
import { recordOf } from '../wal/line-codec.js';
import type { JournalLine } from './read-journal.js';

export interface ReplayOptions {
  journal: Journal;
  documents: Documents;
  tables: Tables;
  compactor: Compactor;
}

type Rows = Map<string, StoredRow<Records[CollectionName]>>;

/** Repeats the changes of a journal, in the order of revisions. Records are not read, apart from documents. */
export class Replay {
  readonly #options: ReplayOptions;
  /** The rows of indexed tables, by collection and tenant; indexed together at the end. */
  readonly #rows = new Map<CollectionName, Map<string, Rows>>();
  #revision = 0;

  constructor(options: ReplayOptions) {
    this.#options = options;
  }

  apply(line: JournalLine): void {
    // A kill between the copying of a segment and its deletion leaves lines twice.
    if (line.rev === this.#revision) {
      this.#options.compactor.scheduleErase(line);
      return;
    }
    this.#revision = line.rev;
    if ('put' in line) this.#put(line);
    else if ('remove' in line) this.#remove(line);
    else this.#clear(line);
  }

  /** Hands the rows to their tables. */
  finish(): void {
    for (const [collection, tenants] of this.#rows) {
      for (const [tenantId, rows] of tenants) {
        const table = this.#options.tables.ensure(collection, tenantId);
        if (rows.size > 0 && table instanceof IndexedTable) table.load(rows);
      }
    }
  }

  #put(line: PutLine & RecordLocation): void {
    const { put: collection, tenant: tenantId, id } = line;
    const { tables, journal, documents, compactor } = this.#options;
    const { kind, retention } = COLLECTIONS[collection];
    if (kind === 'document') {
      if (!this.#noteDocument(line)) return;
      const stored = recordOf(journal.read(line));
      try {
        documents.put({ collection, tenantId, id }, stored);
      } catch (cause) {
        throw journal.damageAt(line, cause);
      }
    } else if (retention !== undefined) {
      const table = tables.ensure(collection, tenantId);
      if (table instanceof BoundedLogTable) table.add(line);
    } else {
      const rows = this.#rowsOf(collection, tenantId);
      const previous = rows.get(id);
      if (previous !== undefined) compactor.scheduleErase(previous);
      rows.set(id, line);
    }
  }

  #remove(line: RemoveLine & RecordLocation): void {
    const { remove: collection, tenant: tenantId, id, rev: revision } = line;
    const { tables, compactor } = this.#options;
    if (COLLECTIONS[collection].kind === 'document') {
      if (this.#noteDocument(line)) tables.apply({ op: 'remove', collection, tenantId, id, revision });
      return;
    }
    compactor.noteRemoval(revision, line);
    const rows = this.#rowsOf(collection, tenantId);
    const removed = rows.get(id);
    if (removed !== undefined) compactor.scheduleErase(removed);
    rows.delete(id);
  }

  #clear({ rev, tenant }: ClearLine): void {
    const { tables, compactor, documents } = this.#options;
    compactor.noteClear(rev, tenant);
    for (const tenants of this.#rows.values()) {
      for (const [tenantId, rows] of tenants) {
        if (tenant !== undefined && tenant !== tenantId) continue;
        for (const row of rows.values()) compactor.scheduleErase(row);
        rows.clear();
      }
    }
    const isNew = rev > documents.revision;
    if (isNew) documents.noteChange(rev);
    for (const name of COLLECTION_NAMES) {
      if (isNew || !DOCUMENT_COLLECTIONS.includes(name)) tables.clear(name, tenant);
    }
  }

  /** Returns whether documents.json lacks a change; if not, its line is no longer needed. */
  #noteDocument(line: (PutLine | RemoveLine) & RecordLocation): boolean {
    const { documents, compactor } = this.#options;
    const isNew = line.rev > documents.revision;
    if (isNew) documents.noteChange(line.rev, line);
    else compactor.scheduleErase(line);
    return isNew;
  }

  #rowsOf(collection: CollectionName, tenantId: string): Rows {
    const tenants = this.#rows.get(collection) ?? new Map<string, Rows>();
    const rows = tenants.get(tenantId) ?? new Map();
    if (rows.size === 0) this.#rows.set(collection, tenants.set(tenantId, rows));
    return rows;
  }
}
