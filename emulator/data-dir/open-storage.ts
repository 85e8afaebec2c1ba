import { resolve } from 'node:path';
import type { Logger } from '../lib/logger.js';
import { type FileSystem, nodeFileSystem } from '../store/files/file-system.js';
import { acquireLock } from '../store/files/lock.js';
import { type DataKey, isEncrypted, openManifest } from '../store/manifest.js';
import { createMemoryStore } from '../store/memory-store.js';
import { openStore } from '../store/open-store.js';
import { type Damage, examine, repair } from '../store/recovery/doctor.js';
import { directorySnapshotStorage, memorySnapshotStorage } from '../store/snapshot-storage.js';
import { Snapshots } from '../store/snapshots.js';
import type { Store } from '../store/store.js';

const DEFAULT_PURPOSE = 'emulator';

/** The emulator options that decide where data is stored; documented in options.ts. */
export interface StorageOptions {
  dataDir?: string;
  memory?: boolean;
  durability?: 'sync' | 'os';
  dataKey?: DataKey;
  files?: FileSystem;
  purpose?: string;
}

/**
 * Opens the store. It locks the data directory, even when only the state file is kept there.
 * @throws {StartError} `data_dir_locked` when another process has locked the data directory
 */
export async function openStorage(options: StorageOptions, logger: Logger): Promise<Store> {
  const { memory, durability, dataKey, files, purpose = DEFAULT_PURPOSE } = options;
  if (options.dataDir === undefined) return createMemoryStore();
  const dataDir = resolve(options.dataDir);
  if (memory) return lockedMemoryStore(dataDir, purpose);
  return openStore({
    dataDir,
    logger,
    purpose,
    ...(durability && { durability }),
    ...(dataKey && { dataKey }),
    ...(files && { files }),
  });
}

/** Opens the named snapshots of a store. They are kept where the store is: in the data directory or in memory. */
export async function openSnapshots(options: StorageOptions, store: Store): Promise<Snapshots> {
  const { dataDir, memory, dataKey } = options;
  if (dataDir === undefined || memory) return new Snapshots(store, memorySnapshotStorage());
  const { cipher } = await openManifest(nodeFileSystem, resolve(dataDir), false, dataKey);
  return new Snapshots(store, directorySnapshotStorage(nodeFileSystem, resolve(dataDir), cipher));
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

async function lockedMemoryStore(dataDir: string, purpose: string): Promise<Store> {
  await nodeFileSystem.makeDirectory(dataDir);
  const lock = acquireLock(dataDir, purpose);
  const store = createMemoryStore();
  return {
    get: store.get.bind(store),
    find: store.find.bind(store),
    commit: store.commit.bind(store),
    record: store.record.bind(store),
    copy: store.copy.bind(store),
    async close() {
      await store.close();
      lock.release();
    },
  };
}
