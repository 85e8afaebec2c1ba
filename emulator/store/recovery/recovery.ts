import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { collectionOf } from '../collections.js';
import type { LineLedger } from '../compaction/line-ledger.js';
import type { RecordCipher } from '../encryption.js';
import { DamagedError, isDiskFull, RESTORE } from '../errors.js';
import { replaceFile, TEMP_SUFFIX } from '../files/atomic-file.js';
import { type FileSystem, QUARANTINE_DIR, SNAPSHOTS_DIR } from '../files/file-system.js';
import type { ChangeLine, PutLine } from '../journal/line.js';
import type { Segment } from '../journal/segment.js';
import type { RecordChange } from '../record-change.js';
import type { CollectionName, Records } from '../records.js';
import type { StoreHeader } from '../store-header.js';
import type { Tables } from '../tables/tables.js';
import { type Inspection, inspectJournal } from './inspect.js';

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

/** Brings the tables to where the data directory left off. @throws DamagedError; nothing was changed then */
export async function recover(options: RecoveryOptions) {
  const { files, dataDir, header, tables, ledger, cipher } = options;
  const found = await inspectJournal(files, dataDir, header, (line, at) => {
    const change = toChange(line, cipher);
    if (typeof change === 'string') return change;
    ledger.noteWritten(change, at);
    tables.apply(change, at);
    return undefined;
  });
  const [damage] = found.damage;
  if (damage !== undefined) {
    const { file, line, problem } = damage;
    throw new DamagedError(file, line, problem, problem === OTHER_RECORD ? { advice: RESTORE } : {});
  }
  const segments = await openSegments(found, options);
  // What a kill left may hold what is deleted from now on.
  for (const path of found.leftovers) await files.remove(path);
  const snapshots = join(dataDir, SNAPSHOTS_DIR);
  for (const name of await files.list(snapshots))
    if (name.endsWith(TEMP_SUFFIX)) await files.remove(join(snapshots, name));
  return { segments, revision: found.revision, unsettled: found.unsettled };
}

async function openSegments(found: Inspection, options: RecoveryOptions): Promise<Segment[]> {
  const { files } = options;
  const segments: Segment[] = [];
  for (const { path: name, size: bytes, ...listed } of found.segments) {
    const path = name.endsWith(TEMP_SUFFIX) ? name.slice(0, -TEMP_SUFFIX.length) : name;
    if (path !== name) await files.rename(name, path);
    segments.push({ ...listed, bytes, path, file: await files.open(path, 'existing') });
  }
  const last = segments.at(-1);
  if (last && found.tail) await removeTail(last, found.tail, options);
  return segments;
}

/**
 * Moves the unfinished tail to `damaged/`, and nothing else, which would keep records that are deleted later. On a full disk it is
 * dropped: it was never acknowledged, and the emulator must start to free space.
 */
async function removeTail(last: Segment, tail: Buffer, options: RecoveryOptions): Promise<void> {
  const { files, logger } = options;
  const outcome = await copyTail(last, tail, options).then(
    (copy) => `they are moved to ${copy}`,
    (error) => {
      if (isDiskFull(error)) return 'they are dropped, because the disk is full';
      throw error;
    },
  );
  await files.truncate(last.file, last.bytes);
  await files.sync(last.file);
  logger.warn(
    `${last.path}: the last ${tail.length} bytes, from byte ${last.bytes}, were never completely written and never ` +
      `acknowledged; ${outcome}`,
  );
}

/** Returns the path of the copy. A start that repeats an interrupted one writes the same file, and another tail another. */
async function copyTail({ path, bytes }: Segment, tail: Buffer, { files, dataDir }: RecoveryOptions) {
  const directory = join(dataDir, QUARANTINE_DIR);
  const digest = createHash('sha256').update(tail).digest('hex').slice(0, 8);
  const copy = join(directory, `${basename(path)}.tail-${bytes}-${digest}`);
  await files.makeDirectory(directory);
  await files.syncDirectory(dataDir);
  await replaceFile(files, copy, tail);
  return copy;
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
    // Its name can be read without a key.
    const open = line.record as Records[CollectionName];
    const tenantId = collectionOf(collection).tenantOf(open);
    const record = cipher.decrypt({ collection, tenantId, id: open.id }, line.record);
    if (record.revision === revision) return { op: 'put', collection, tenantId, revision, record };
  } catch {
    // As a record of another revision.
  }
  return OTHER_RECORD;
}
