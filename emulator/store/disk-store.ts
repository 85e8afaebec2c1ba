import { join } from 'node:path';
import { Compactor } from './compaction/compactor.js';
import { GatheredLines } from './compaction/dead-lines.js';
import type { DataKey } from './data-key.js';
import { Documents } from './documents.js';
import { TEMP_SUFFIX } from './files/atomic-file.js';
import type { FileSystem } from './files/file-system.js';
import { JOURNAL_DIR, SNAPSHOTS_DIR } from './files/layout.js';
import { LocalStore } from './local-store.js';
import { recover } from './recovery/recovery.js';
import type { Store } from './store.js';
import { openHeader } from './store-header.js';
import { Tables } from './tables/tables.js';
import { Journal } from './wal/journal.js';
import { openSegments } from './wal/segment.js';
import { WriteAheadLog } from './write-ahead-log.js';

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
    const { header, cipher } = await openHeader(files, dataDir, isNew, options.dataKey);
    const dead = new GatheredLines(journal);
    const tables = new Tables(dead);
    const documents = new Documents({ ...options, header, tables, cipher });
    const compactor = new Compactor({ ...options, journal, tables, documents, dead });
    const revision = await recover({ ...options, journal, documents, tables, compactor, cipher });
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

/** Removes files that a kill kept from being renamed: they may hold what will be deleted from now on. */
async function removeTemporaryFiles(files: FileSystem, directory: string): Promise<void> {
  for (const name of await files.list(directory)) {
    if (name.endsWith(TEMP_SUFFIX)) await files.remove(join(directory, name));
  }
}
