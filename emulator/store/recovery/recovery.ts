import { COLLECTION_NAMES, COLLECTIONS, collectionOf } from '../collections.js';
import type { Compactor } from '../compaction/compactor.js';
import { DOCUMENT_COLLECTIONS, type Documents } from '../documents.js';
import type { RecordCipher } from '../encryption.js';
import { DamagedError } from '../errors.js';
import type { FileSystem } from '../files/file-system.js';
import type { LineLocation } from '../line-location.js';
import type { Operation } from '../operation.js';
import type { Tables } from '../tables/tables.js';
import type { Journal } from '../wal/journal.js';
import { type ChangeLine, openPart, type PutLine } from '../wal/line.js';
import { activeSegment, readSegment } from '../wal/segment.js';
import { type JournalLine, readJournal } from './read-journal.js';
import { removeTail } from './remove-tail.js';

interface RecoveryOptions extends ReplayOptions {
  files: FileSystem;
  dataDir: string;
  logger: { warn(message: string): void };
}

/**
 * Brings the tables to where the data directory left off, and returns the highest revision in use.
 *
 * @throws DamagedError something can be neither read nor explained; nothing was changed
 */
export async function recover(options: RecoveryOptions): Promise<number> {
  const { files, journal, documents, compactor } = options;
  const segments = [...journal.segments.values()];
  await documents.load();
  // One buffer for all segments: allocating memory takes longer than reading into it.
  const buffer = Buffer.allocUnsafe(Math.max(0, ...segments.map(({ size }) => size)));
  const content = await readJournal(segments, (segment) => readSegment(files, segment, buffer));
  const [damage] = content.damaged;
  if (damage !== undefined) {
    throw new DamagedError(damage.path, damage.number, 'this line does not match its checksum');
  }
  const active = activeSegment(segments);
  if (active !== undefined && content.tailAt !== undefined) await removeTail(active, content.tailAt, options);
  for (const segment of segments) segment.dead = segment.size - (content.bytes.get(segment.id) ?? 0);
  // Compaction moves lines, so that they may be in any order.
  content.lines.sort((a, b) => a.line.rev - b.line.rev);
  const revision = replay(content.lines, options);
  // Before anything else reads them: a partly erased line is neither valid nor blank.
  await journal.erase(content.partlyErased);
  for (const line of content.partlyErased) compactor.dead.markDead(line);
  return revision;
}

interface ReplayOptions {
  journal: Journal;
  documents: Documents;
  tables: Tables;
  compactor: Compactor;
  cipher: RecordCipher;
}

/** Repeats the changes of a journal in the order of revisions, and returns the highest revision. */
function replay(lines: readonly JournalLine[], options: ReplayOptions): number {
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
