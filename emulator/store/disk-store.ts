import { join } from 'node:path';
import { Compactor } from './compaction/compactor.js';
import { LineLedger } from './compaction/line-ledger.js';
import type { DataKey } from './data-key.js';
import { storageError } from './errors.js';
import { type FileSystem, JOURNAL_DIR, nodeFileSystem } from './files/file-system.js';
import { acquireLock } from './files/lock.js';
import { Presence } from './files/presence.js';
import { Journal } from './journal/journal.js';
import { SEGMENT_BYTES } from './journal/segment.js';
import { JournalTarget } from './journal-target.js';
import { createLocalStore } from './local-store.js';
import { recover } from './recovery/recovery.js';
import { directorySnapshotStorage, type SnapshotStorage } from './snapshot-storage.js';
import type { Store } from './store.js';
import { newHeader, readHeaderOfStore, unlock } from './store-header.js';
import { Tables } from './tables/tables.js';

export interface DataDirOptions {
  dataDir: string;
  /** `sync` (default): a commit resolves when it is synced to the disk. `os`: when the system has it. */
  durability?: 'sync' | 'os';
  /** Encrypts token data. The same key opens the directory again. */
  dataKey?: DataKey;
  /** Bytes after which the next segment of the journal is begun; default: 4 MiB. */
  segmentBytes?: number;
  /** Default: 1 GiB. */
  maxCommitBytes?: number;
  logger: { warn(message: string): void };
  /** Tells whether the files are still there while the store is open. */
  presence?: Presence;
  /** Default: the operating system's. Tests inject faults here. */
  files?: FileSystem;
}

export type DiskStore = { store: Store; snapshotStorage: SnapshotStorage };

/** Opens the store in a data directory, which is locked until the store is closed. @throws StartError, StorageError */
export async function openStore(options: DataDirOptions & { purpose?: string }): Promise<DiskStore> {
  const { files = nodeFileSystem, purpose = 'tokenctl', presence = new Presence(), dataDir } = options;
  await files.makeDirectory(dataDir);
  const lock = acquireLock(dataDir, purpose);
  try {
    const fenced = fencedFileSystem(files, () => {
      lock.assertHeld();
      presence.assertThere();
    });
    return await openDiskStore({ ...options, files: fenced, presence }, async () => lock.release());
  } catch (error) {
    lock.release();
    const { syscall, path } = error as NodeJS.ErrnoException;
    throw syscall !== undefined && path === undefined ? storageError(error) : error;
  }
}

/** Opens the store of a data directory that this process has locked. */
export async function openDiskStore(given: DataDirOptions, onClose: () => Promise<void> = async () => {}) {
  const options = {
    files: nodeFileSystem,
    durability: 'sync' as const,
    segmentBytes: SEGMENT_BYTES,
    onClose,
    ...given,
  };
  const { files, dataDir, dataKey } = options;
  await files.makeDirectory(join(dataDir, JOURNAL_DIR));
  const known = await readHeaderOfStore(files, dataDir);
  const header = known ?? (await newHeader(dataKey));
  const cipher = await unlock(header, dataDir, dataKey);
  const ledger = new LineLedger();
  const tables = new Tables(ledger);
  const { segments, revision, unsettled } = await recover({ ...options, header, tables, ledger, cipher });
  const { format, id, key_check } = header;
  const identity = { format, id, ...(key_check !== undefined && { key_check }) };
  const listedBytes = known && (known.journal.at(-1)?.bytes ?? 0);
  const { next, snapshots = [] } = header;
  const journal = new Journal({ ...options, identity, revision, next, listedBytes, snapshots }, segments);
  try {
    await journal.sync();
    // Before anything else reads them: a partly erased line is neither valid nor blank.
    await journal.erase(unsettled);
  } catch (error) {
    await journal.abandon();
    throw error;
  }
  options.presence?.watch(() => journal.keptFiles);
  const compactor = new Compactor({ ...options, journal, ledger });
  const target = new JournalTarget({ ...options, journal, tables, ledger, compactor, cipher }, revision);
  return {
    store: createLocalStore(tables, target, options.logger),
    snapshotStorage: directorySnapshotStorage(files, dataDir, cipher, journal),
  };
}

/** Returns a file system that changes nothing once this process has lost its data directory. @param assertHeld throws then */
function fencedFileSystem(files: FileSystem, assertHeld: () => void): FileSystem {
  const fence = <Args extends unknown[], Result>(change: (...args: Args) => Promise<Result>) => {
    return async (...args: Args): Promise<Result> => {
      assertHeld();
      return change(...args);
    };
  };
  return {
    open: fence((path, mode) => files.open(path, mode)),
    write: fence((file, bytes, position) => files.write(file, bytes, position)),
    truncate: fence((file, length) => files.truncate(file, length)),
    sync: fence((file) => files.sync(file)),
    rename: fence((from, to) => files.rename(from, to)),
    remove: fence((path) => files.remove(path)),
    makeDirectory: fence((path) => files.makeDirectory(path)),
    readFile: (path) => files.readFile(path),
    close: (file) => files.close(file),
    list: (directory) => files.list(directory),
    syncDirectory: (path) => files.syncDirectory(path),
  };
}
