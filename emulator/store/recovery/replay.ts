import { COLLECTION_NAMES, COLLECTIONS, collectionOf } from '../collections.js';
import type { Compactor } from '../compaction/compactor.js';
import { DOCUMENT_COLLECTIONS, type Documents } from '../documents.js';
import type { RecordCipher } from '../encryption.js';
import type { LineLocation } from '../line-location.js';
import type { Operation } from '../operation.js';
import type { Tables } from '../tables/tables.js';
import type { Journal } from '../wal/journal.js';
import { type ChangeLine, openPart, type PutLine } from '../wal/line.js';
import type { JournalLine } from './read-journal.js';

export interface ReplayOptions {
  journal: Journal;
  documents: Documents;
  tables: Tables;
  compactor: Compactor;
  cipher: RecordCipher;
}

/** Repeats the changes of a journal in the order of revisions, and returns the highest revision. */
export function replay(lines: readonly JournalLine[], options: ReplayOptions): number {
  let revision = 0;
  for (const { line, at } of lines) {
    // A kill between the copying of a segment and its deletion leaves lines twice.
    if (line.rev === revision) options.compactor.dead.scheduleErase(at);
    else repeat(line, at, options);
    revision = line.rev;
  }
  return Math.max(options.documents.revision, revision);
}

function repeat(line: ChangeLine, at: LineLocation, options: ReplayOptions): void {
  const { documents, tables, compactor } = options;
  const isInDocuments = line.rev <= documents.revision;
  if (isInDocuments && isDocument(line)) {
    compactor.dead.scheduleErase(at);
    return;
  }
  const operation = toOperation(line, at, options);
  compactor.noteWritten(operation, at);
  if (operation.op !== 'clear') {
    tables.apply(operation, at);
    return;
  }
  for (const name of COLLECTION_NAMES) {
    if (!(isInDocuments && DOCUMENT_COLLECTIONS.includes(name))) tables.clear(name, operation.tenantId);
  }
}

function isDocument(line: ChangeLine): boolean {
  if ('clear' in line) return false;
  return COLLECTIONS['put' in line ? line.put : line.remove].kind === 'document';
}

function toOperation(line: ChangeLine, at: LineLocation, options: ReplayOptions): Operation {
  const { rev: revision } = line;
  if ('put' in line) return toPut(line, at, options);
  if ('clear' in line)
    return { op: 'clear', revision, ...(line.tenant !== undefined && { tenantId: line.tenant }) };
  return { op: 'remove', collection: line.remove, tenantId: line.tenant, id: line.id, revision };
}

/** @throws DamagedError the record is not what was written */
function toPut(line: PutLine, at: LineLocation, { journal, cipher }: ReplayOptions): Operation {
  const { put: collection, rev: revision } = line;
  const open = openPart(line);
  const tenantId = collectionOf(collection).tenantOf(open);
  try {
    const record = cipher.decrypt({ collection, tenantId, id: open.id }, line.record);
    if (record.revision !== revision) throw new Error('it has another revision');
    return { op: 'put', collection, tenantId, revision, record };
  } catch (cause) {
    throw journal.damageAt(at, cause);
  }
}
