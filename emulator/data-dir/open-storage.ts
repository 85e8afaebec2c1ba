import { resolve } from 'node:path';
import type { Logger } from '../lib/logger.js';
import { type FileSystem, nodeFileSystem } from '../store/files/file-system.js';
import { acquireLock, type Lock } from '../store/files/lock.js';
import { type DataKey, isEncrypted, openManifest } from '../store/manifest.js';
import { createMemoryStore } from '../store/memory-store.js';
import { openStore } from '../store/open-store.js';
import { openPostgresStore } from '../store/postgres/open-postgres-store.js';
import { type Damage, examine, repair } from '../store/recovery/doctor.js';
import { directorySnapshotStorage, memorySnapshotStorage } from '../store/snapshot-storage.js';
import { Snapshots } from '../store/snapshots.js';
import type { Store } from '../store/store.js';

const DEFAULT_PURPOSE = 'emulator';

/** The emulator options that decide where data is stored; documented in options.ts. */
export interface StorageOptions {
  dataDir?: string;
  memory?: boolean;
  storeUrl?: string;
  durability?: 'sync' | 'os';
  dataKey?: DataKey;
  files?: FileSystem;
  purpose?: string;
}

/** Where the data is. */
export interface Storage {
  store: Store;
  /** The named snapshots, which are kept where the store is: in the data directory, the database or memory. */
  snapshots: Snapshots;
}

/**
 * Opens the store. It locks the data directory, even when only the state file is kept there.
 * @throws {StartError} `data_dir_locked` when another process has locked the data directory
 */
export async function openStorage(options: StorageOptions, logger: Logger): Promise<Storage> {
  const { memory, storeUrl, purpose = DEFAULT_PURPOSE } = options;
  const dataDir = options.dataDir === undefined ? undefined : resolve(options.dataDir);
  if (storeUrl !== undefined) {
    const { dataKey } = options;
    return lockedStorage(dataDir, purpose, async () => {
      const { store, snapshotStorage } = await openPostgresStore({ url: storeUrl, dataKey, logger });
      return { store, snapshots: new Snapshots(store, snapshotStorage) };
    });
  }
  if (dataDir === undefined || memory) {
    return lockedStorage(dataDir, purpose, async () => {
      const store = createMemoryStore();
      return { store, snapshots: new Snapshots(store, memorySnapshotStorage()) };
    });
  }
  return openDirectory(dataDir, options, logger);
}

async function openDirectory(dataDir: string, options: StorageOptions, logger: Logger): Promise<Storage> {
  const { durability, dataKey, files, purpose = DEFAULT_PURPOSE } = options;
  const store = await openStore({
    dataDir,
    logger,
    purpose,
    ...(durability && { durability }),
    ...(dataKey && { dataKey }),
    ...(files && { files }),
  });
  const { cipher } = await openManifest(nodeFileSystem, dataDir, false, dataKey);
  return {
    store,
    snapshots: new Snapshots(store, directorySnapshotStorage(nodeFileSystem, dataDir, cipher)),
  };
}

/** Whether a data directory needs a key. One that does not exist yet needs none. */
export function needsKey(dataDir: string): Promise<boolean> {
  return isEncrypted(nodeFileSystem, resolve(dataDir));
}

/**
 * Lists the damage in a data directory that no process has open. With `repair`, readable records are kept and the rest is
 * moved to `damaged/`.
 * @throws {StartError} `data_dir_locked` when another process has locked the data directory
 */
export async function checkDataDir(
  dataDir: string,
  { repair: withRepair }: { repair: boolean },
): Promise<Damage[]> {
  if ((await nodeFileSystem.list(dataDir)).length === 0) return [];
  const lock = acquireLock(resolve(dataDir), 'examining it');
  try {
    return await (withRepair ? repair : examine)(nodeFileSystem, resolve(dataDir));
  } finally {
    lock.release();
  }
}

/** Opens a store that is elsewhere, with the data directory of the state file locked until the store is closed. */
async function lockedStorage(
  dataDir: string | undefined,
  purpose: string,
  open: () => Promise<Storage>,
): Promise<Storage> {
  if (dataDir === undefined) return open();
  await nodeFileSystem.makeDirectory(dataDir);
  const lock = acquireLock(dataDir, purpose);
  try {
    const { store, snapshots } = await open();
    return { store: releasing(store, lock), snapshots };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function releasing(store: Store, lock: Lock): Store {
  return {
    get: store.get.bind(store),
    find: store.find.bind(store),
    commit: store.commit.bind(store),
    record: store.record.bind(store),
    copy: store.copy.bind(store),
    ...(store.shared && { shared: store.shared }),
    async close() {
      await store.close();
      lock.release();
    },
  };
}
