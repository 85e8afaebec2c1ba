import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { Compactor } from './compaction/compactor.js';
import type { DataKey } from './data-key.js';
import { Documents } from './documents.js';
import type { RecordCipher } from './encryption.js';
import { TEMP_SUFFIX } from './files/atomic-file.js';
import type { FileSystem } from './files/file-system.js';
import { JOURNAL_DIR, SNAPSHOTS_DIR } from './files/layout.js';
import { cacheHashes } from './index/hash-cache.js';
import { createTermHasher } from './index/term-hash.js';
import { LocalStore } from './local-store.js';
import type { RecordLocation } from './record-location.js';
import type { CollectionName, Records, Stored } from './records.js';
import { recover } from './recovery/recovery.js';
import type { Store } from './store.js';
import { openHeader } from './store-header.js';
import type { LocatedRecord, RecordLines } from './tables/table.js';
import { Tables } from './tables/tables.js';
import { Journal } from './wal/journal.js';
import { recordOf } from './wal/line-codec.js';
import { openSegments } from './wal/segment.js';
import { WriteAheadLog } from './write-ahead-log.js';

/** Records that were read lately and are kept parsed, and the bytes of their lines. */
const CACHED_RECORDS = 1_000;
const CACHED_BYTES = 16 * 1024 ** 2;

interface DiskStoreOptions {
  files: FileSystem;
  dataDir: string;
  durability: 'sync' | 'os';
  dataKey?: DataKey;
  /** Default: 1 GiB. */
  maxCommitBytes?: number;
  logger: { warn(message: string): void };
  onClose(): Promise<void>;
}

/**
 * Opens the store of a data directory whose lock this process holds.
 *
 * @throws DamagedError something cannot be read; nothing was changed
 * @throws FormatError
 * @throws WrongKeyError
 */
export async function openDiskStore(options: DiskStoreOptions): Promise<Store> {
  const { files, dataDir, durability } = options;
  const directory = join(dataDir, JOURNAL_DIR);
  await files.makeDirectory(directory);
  const segments = await openSegments(files, directory);
  const journal = new Journal({ files, directory, durability }, segments);
  try {
    const isNew = segments.length === 0;
    const { header, cipher, hashKey } = await openHeader(files, dataDir, isNew, options.dataKey);
    const hasher = cacheHashes(createTermHasher(hashKey));
    const tables: Tables = new Tables(hasher, (collection, tenantId) => linesOf(collection, tenantId));
    const documents = new Documents({ ...options, header, tables, cipher });
    const compactor = new Compactor({ ...options, journal, tables, documents });
    const linesOf = createRecordLines(journal, cipher, compactor);
    const revision = await recover({ ...options, journal, documents, tables, compactor });
    await Promise.all([journal.sync(), files.syncDirectory(dataDir)]);
    await removeTemporaryFiles(files, directory);
    await removeTemporaryFiles(files, join(dataDir, SNAPSHOTS_DIR));
    compactor.start(revision);
    const log = new WriteAheadLog({ ...options, journal, tables, compactor, cipher }, revision);
    return new LocalStore(tables, log);
  } catch (error) {
    await journal.close();
    throw error;
  }
}

/** Returns the function that creates the lines of a table. */
function createRecordLines(journal: Journal, cipher: RecordCipher, compactor: Compactor) {
  const cache = new LRUCache<RecordLocation, Stored<Records[CollectionName]>>({
    max: CACHED_RECORDS,
    maxSize: CACHED_BYTES,
    sizeCalculation: (_record, { length }) => length,
  });
  const scheduleErase = (location: RecordLocation) => {
    cache.delete(location);
    compactor.scheduleErase(location);
  };
  return <N extends CollectionName>(collection: N, tenantId: string): RecordLines<Records[N]> => {
    const read = (record: LocatedRecord) => {
      const line = journal.read(record);
      try {
        return cipher.decrypt({ collection, tenantId, id: record.id }, recordOf(line));
      } catch (cause) {
        throw journal.damageAt(record, cause);
      }
    };
    return {
      read,
      readCached(location) {
        const record = (cache.get(location) as Stored<Records[N]> | undefined) ?? read(location);
        cache.set(location, record);
        return record;
      },
      scheduleErase,
      scheduleEraseAll: (locations) => compactor.sweep(locations, scheduleErase),
      markDead: compactor.markDead,
    };
  };
}

/** Removes files that a kill kept from being renamed: they may hold what will be deleted from now on. */
async function removeTemporaryFiles(files: FileSystem, directory: string): Promise<void> {
  for (const name of await files.list(directory)) {
    if (name.endsWith(TEMP_SUFFIX)) await files.remove(join(directory, name));
  }
}
