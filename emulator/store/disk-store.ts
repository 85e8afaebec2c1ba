import { join } from 'node:path';
import { COLLECTIONS, type Collection } from './collections.js';
import { CommitQueue } from './commit-queue.js';
import { Compactor } from './compaction/compactor.js';
import { SegmentRewriter } from './compaction/segment-rewriter.js';
import { Documents } from './documents.js';
import type { RecordCipher } from './encryption.js';
import { DamagedError } from './errors.js';
import { TEMP_SUFFIX } from './files/atomic-file.js';
import type { FileSystem } from './files/file-system.js';
import { createTermHasher, type TermHasher } from './index/term-hash.js';
import type { Logger } from './logger.js';
import { type DataKey, type Opened, openManifest } from './manifest.js';
import type { RecordLocation } from './record-location.js';
import type { CollectionName } from './records.js';
import { load } from './recovery/load.js';
import { SNAPSHOTS_DIRECTORY } from './snapshot-storage.js';
import type { Store } from './store.js';
import { BoundedLogTable } from './tables/bounded-log-table.js';
import { DiskTable } from './tables/disk-table.js';
import { IndexedTable } from './tables/indexed-table.js';
import { MemoryRecordStorage } from './tables/record-storage.js';
import { Tables } from './tables/tables.js';
import { Journal } from './wal/journal.js';
import { recordOf } from './wal/line-codec.js';
import { duplicateSegments, type Segment, segmentsAmong } from './wal/segment.js';
import { DiskWriteAheadLog } from './wal/write-ahead-log.js';

export const JOURNAL_DIRECTORY = 'journal';
export const DOCUMENTS_FILE = 'documents.json';

export interface DiskStoreOptions {
  files: FileSystem;
  dataDir: string;
  durability: 'sync' | 'os';
  dataKey?: DataKey;
  logger: Logger;
  onClose(): Promise<void>;
}

/**
 * Opens the store of a data directory that this process holds the lock of.
 *
 * @throws DamagedError something cannot be read; nothing was changed
 * @throws FormatError
 * @throws WrongKeyError
 */
export async function openDiskStore(options: DiskStoreOptions): Promise<Store> {
  const { files, dataDir, logger } = options;
  const directory = join(dataDir, JOURNAL_DIRECTORY);
  await files.makeDirectory(directory);
  const segments = await openSegments(files, directory);
  const journal = new Journal({ files, directory, durability: options.durability }, segments);
  try {
    const opened = await openManifest(files, dataDir, segments.length === 0, options.dataKey);
    const { sealing } = opened;
    const parts = assemble(options, journal, opened);
    const revision = await load(files, segments, parts, logger);
    await journal.settle();
    await files.syncDirectory(dataDir);
    await removeHalfMade(files, directory);
    await removeHalfMade(files, join(dataDir, SNAPSHOTS_DIRECTORY));
    parts.housekeeping.start(revision);
    const { hasher, housekeeping, tables } = parts;
    const recorder = new DiskWriteAheadLog({ ...options, journal, housekeeping, hasher, sealing, logger });
    return new CommitQueue(tables, recorder, revision);
  } catch (error) {
    await journal.close();
    throw error;
  }
}

/** What a store on disk is made of. */
export interface DiskStoreParts {
  journal: Journal;
  tables: Tables;
  documents: Documents;
  packer: SegmentRewriter;
  housekeeping: Compactor;
  hasher: TermHasher;
  sealing: RecordCipher;
}

function assemble(
  { files, dataDir, logger }: DiskStoreOptions,
  journal: Journal,
  { manifest, sealing, hashKey }: Opened,
): DiskStoreParts {
  const hasher = createTermHasher(hashKey);
  const tables = new Tables(<N extends CollectionName>(name: N) => {
    const collection: Collection<N> = COLLECTIONS[name];
    const { bury, retire } = housekeeping;
    const read = (place: RecordLocation) => sealing.read<N>(recordOf(journal.read(place)));
    if (collection.keepLast !== undefined) {
      return new BoundedLogTable(collection, collection.keepLast, { read, bury, retire });
    }
    if (collection.kind === 'document')
      return new IndexedTable(collection, hasher, new MemoryRecordStorage());
    return new DiskTable(collection, hasher, { read, bury });
  });
  const documents = new Documents({ files, path: join(dataDir, DOCUMENTS_FILE), manifest, tables, sealing });
  const packer = new SegmentRewriter({ files, journal, tables, documents });
  const housekeeping = new Compactor({ journal, documents, packer, logger });
  return { journal, tables, documents, packer, housekeeping, hasher, sealing };
}

/** Files that a kill kept from taking their place: they may hold what is deleted from now on. */
async function removeHalfMade(files: FileSystem, directory: string): Promise<void> {
  for (const name of await files.list(directory)) {
    if (name.endsWith(TEMP_SUFFIX)) await files.remove(join(directory, name));
  }
}

async function openSegments(files: FileSystem, directory: string): Promise<Segment[]> {
  const found = segmentsAmong(await files.list(directory));
  const [twin] = duplicateSegments(found);
  if (twin !== undefined) {
    throw new DamagedError(join(directory, twin.packed), 1, `${twin.appended} has the same number`);
  }
  const segments: Segment[] = [];
  for (const { id, packed, name } of found) {
    const path = join(directory, name);
    const file = await files.open(path, 'existing');
    segments.push({ id, path, file, size: await files.size(file), dead: 0, packed, lastRemoval: 0 });
  }
  return segments;
}
