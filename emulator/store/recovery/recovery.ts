import { join } from 'node:path';
import { collectionOf } from '../collections.js';
import type { LineLedger } from '../compaction/line-ledger.js';
import type { RecordCipher } from '../encryption.js';
import { DamagedError, RESTORE } from '../errors.js';
import { TEMP_SUFFIX } from '../files/atomic-file.js';
import type { FileSystem } from '../files/file-system.js';
import { SNAPSHOTS_DIR } from '../files/layout.js';
import { type ChangeLine, openPart, type PutLine } from '../journal/line.js';
import type { Segment } from '../journal/segment.js';
import type { RecordChange } from '../record-change.js';
import type { StoreHeader } from '../store-header.js';
import type { Tables } from '../tables/tables.js';
import { type Damage, type Inspection, inspectJournal } from './inspect.js';
import { removeTail } from './remove-tail.js';

interface RecoveryOptions {
  files: FileSystem;
  dataDir: string;
  header: StoreHeader;
  tables: Tables;
  ledger: LineLedger;
  cipher: RecordCipher;
  logger: { warn(message: string): void };
}

const OTHER_RECORD = 'its record is not what was written';

/** What a start found. */
interface Recovered extends Pick<Inspection, 'revision' | 'partlyErased'> {
  segments: Segment[];
}

/**
 * Brings the tables to where the data directory left off, and opens its segments.
 *
 * @throws DamagedError something is not what was written; nothing was changed
 */
export async function recover(options: RecoveryOptions): Promise<Recovered> {
  const { files, dataDir, header, tables, ledger, cipher } = options;
  const found = await inspectJournal(files, dataDir, header, (line, at) => {
    const change = toChange(line, cipher);
    if (typeof change === 'string') return change;
    ledger.noteWritten(change, at);
    tables.apply(change, at);
    return undefined;
  });
  const [damage] = found.damage;
  if (damage !== undefined) throw errorOf(damage);
  const segments = await openSegments(found, options);
  // What a kill left may hold what is deleted from now on.
  for (const path of found.leftovers) await files.remove(path);
  await removeTemporaryFiles(files, join(dataDir, SNAPSHOTS_DIR));
  return { segments, revision: found.revision, partlyErased: found.partlyErased };
}

function errorOf({ file, line, problem }: Damage): DamagedError {
  return new DamagedError(file, line, problem, problem === OTHER_RECORD ? { advice: RESTORE } : {});
}

async function openSegments(found: Inspection, options: RecoveryOptions): Promise<Segment[]> {
  const { files } = options;
  const segments: Segment[] = [];
  for (const { number, path: name, size, revisions, closed_at: closedAt } of found.segments) {
    const path = name.endsWith(TEMP_SUFFIX) ? name.slice(0, -TEMP_SUFFIX.length) : name;
    if (path !== name) await files.rename(name, path);
    const file = await files.open(path, 'existing');
    segments.push({ number, path, file, size, revisions, closedAt });
  }
  const last = segments.at(-1);
  if (last && found.tail) await removeTail(last, found.tail, options);
  return segments;
}

/** Returns what keeps a line from being a change, if anything does. */
function toChange(line: ChangeLine, cipher: RecordCipher): RecordChange | string {
  const { rev: revision } = line;
  if ('put' in line) return toPut(line, cipher);
  if ('clear' in line)
    return { op: 'clear', revision, ...(line.tenant !== undefined && { tenantId: line.tenant }) };
  return { op: 'remove', collection: line.remove, tenantId: line.tenant, id: line.id, revision };
}

function toPut(line: PutLine, cipher: RecordCipher): RecordChange | string {
  const { put: collection, rev: revision } = line;
  try {
    const open = openPart(line);
    const tenantId = collectionOf(collection).tenantOf(open);
    const record = cipher.decrypt({ collection, tenantId, id: open.id }, line.record);
    if (record.revision === revision) return { op: 'put', collection, tenantId, revision, record };
  } catch {
    // As a record of another revision.
  }
  return OTHER_RECORD;
}

async function removeTemporaryFiles(files: FileSystem, directory: string): Promise<void> {
  for (const name of await files.list(directory)) {
    if (name.endsWith(TEMP_SUFFIX)) await files.remove(join(directory, name));
  }
}
