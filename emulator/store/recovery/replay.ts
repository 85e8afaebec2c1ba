import { COLLECTION_NAMES, COLLECTIONS } from '../collections.js';
import type { Compactor } from '../compaction/compactor.js';
import { DOCUMENT_COLLECTIONS, type Documents } from '../documents.js';
import type { RecordCipher } from '../encryption.js';
import type { RecordLocation } from '../record-location.js';
import type { CollectionName, Records } from '../records.js';
import { BoundedLogTable } from '../tables/bounded-log-table.js';
import { IndexedTable, type StoredRow } from '../tables/indexed-table.js';
import type { Tables } from '../tables/tables.js';
import type { Journal } from '../wal/journal.js';
import { type ClearLine, type PutLine, type RemoveLine, recordOf } from '../wal/line-codec.js';
import type { JournalLine } from './read-journal.js';

export interface ReplayOptions {
  journal: Journal;
  documents: Documents;
  tables: Tables;
  compactor: Compactor;
  cipher: RecordCipher;
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

  apply({ head, location }: JournalLine): void {
    // A kill between the copying of a segment and its deletion leaves lines twice.
    if (head.rev === this.#revision) {
      this.#options.compactor.scheduleErase(location);
      return;
    }
    this.#revision = head.rev;
    if ('put' in head) this.#put(head, location);
    else if ('remove' in head) this.#remove(head, location);
    else this.#clear(head);
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

  #put(head: PutLine, location: RecordLocation): void {
    const { put: collection, tenant: tenantId, id, rev: revision, keys } = head;
    const { tables, journal, cipher, compactor } = this.#options;
    const { kind, keepLast } = COLLECTIONS[collection];
    if (kind === 'document') {
      if (!this.#noteDocument(revision, location)) return;
      const record = cipher.decrypt(recordOf(journal.read(location)));
      tables.apply({
        op: 'put',
        collection,
        tenantId,
        revision,
        record,
        keys: tables.keysOf(collection, record),
      });
    } else if (keepLast !== undefined) {
      const table = tables.ensure(collection, tenantId);
      if (table instanceof BoundedLogTable) table.add({ id, revision, location, record: undefined });
    } else {
      const rows = this.#rowsOf(collection, tenantId);
      const previous = rows.get(id)?.location;
      if (previous !== undefined) compactor.scheduleErase(previous);
      rows.set(id, { id, keys, revision, location });
    }
  }

  #remove(head: RemoveLine, location: RecordLocation): void {
    const { remove: collection, tenant: tenantId, id, rev: revision } = head;
    const { tables, compactor } = this.#options;
    if (COLLECTIONS[collection].kind === 'document') {
      if (this.#noteDocument(revision, location))
        tables.apply({ op: 'remove', collection, tenantId, id, revision });
      return;
    }
    compactor.noteRemoval(revision, location);
    const rows = this.#rowsOf(collection, tenantId);
    const removed = rows.get(id)?.location;
    if (removed !== undefined) compactor.scheduleErase(removed);
    rows.delete(id);
  }

  #clear({ rev, tenant }: ClearLine): void {
    const { tables, compactor, documents } = this.#options;
    compactor.noteClear(rev, tenant);
    for (const tenants of this.#rows.values()) {
      for (const [tenantId, rows] of tenants) {
        if (tenant !== undefined && tenant !== tenantId) continue;
        for (const { location } of rows.values())
          if (location !== undefined) compactor.scheduleErase(location);
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
  #noteDocument(revision: number, location: RecordLocation): boolean {
    const { documents, compactor } = this.#options;
    const isNew = revision > documents.revision;
    if (isNew) documents.noteChange(revision, location);
    else compactor.scheduleErase(location);
    return isNew;
  }

  #rowsOf(collection: CollectionName, tenantId: string): Rows {
    const tenants = this.#rows.get(collection) ?? new Map<string, Rows>();
    const rows = tenants.get(tenantId) ?? new Map();
    if (rows.size === 0) this.#rows.set(collection, tenants.set(tenantId, rows));
    return rows;
  }
}
