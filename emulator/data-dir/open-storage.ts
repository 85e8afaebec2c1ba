import { resolve } from 'node:path';
import type { Logger } from '../lib/logger.js';
import { Snapshots } from '../services/snapshots.js';
import type { DataKey } from '../store/data-key.js';
import { type FileSystem, nodeFileSystem } from '../store/files/file-system.js';
import { acquireLock, type Lock } from '../store/files/lock.js';
import { createMemoryStore } from '../store/memory-store.js';
import { openPostgresStore } from '../store/postgres/open-postgres-store.js';
import { findDamage, repair } from '../store/recovery/repair.js';
import { memorySnapshotStorage } from '../store/snapshot-storage.js';
import type { Store } from '../store/store.js';
import { readHeader } from '../store/store-header.js';
import { wrapStore } from '../store/wrapped-store.js';
import { assertNotMoved } from './move-marks.js';
import { type OpenedStore, openDirectory } from './open-directory.js';

const DEFAULT_PURPOSE = 'emulator';

/** The options of an emulator that decide where data is stored; their meaning is that of `EmulatorOptions`. */
interface StorageOptions {
  dataDir?: string;
  memory?: boolean;
  storeUrl?: string;
  statementTimeoutMs?: number;
  durability?: 'sync' | 'os';
  dataKey?: DataKey;
  files?: FileSystem;
  purpose?: string;
}

interface Storage extends Pick<OpenedStore, 'store' | 'probe'> {
  snapshots: Snapshots;
}

/** Opens the store and locks the data directory, even if only the state file is there. @throws {StartError} */
export async function openStorage(options: StorageOptions, logger: Logger): Promise<Storage> {
  const { store, snapshotStorage, probe } = await open(options, logger);
  try {
    await assertNotMoved(store);
  } catch (error) {
    await store.close();
    throw error;
  }
  return { store, snapshots: new Snapshots(store, snapshotStorage), probe };
}

function open(options: StorageOptions, logger: Logger): Promise<OpenedStore> {
  const { memory, storeUrl, statementTimeoutMs, dataKey, purpose = DEFAULT_PURPOSE } = options;
  const dataDir = options.dataDir === undefined ? undefined : resolve(options.dataDir);
  if (storeUrl !== undefined)
    return withLock(dataDir, purpose, () =>
      openPostgresStore({ url: storeUrl, statementTimeoutMs, dataKey, logger }),
    );
  if (dataDir === undefined || memory) return withLock(dataDir, purpose, openMemory);
  return openDirectory(dataDir, { ...options, purpose }, logger);
}

async function openMemory(): Promise<OpenedStore> {
  return {
    store: createMemoryStore(),
    snapshotStorage: memorySnapshotStorage(),
    probe: async () => ({ kind: 'memory', state: 'ok' }),
  };
}

/** Whether a data directory needs a key. One that does not exist yet needs none. */
export async function needsKey(dataDir: string): Promise<boolean> {
  return (await readHeader(nodeFileSystem, resolve(dataDir)))?.key_check !== undefined;
}

/** Lists the damage in a data directory. With `repair`, readable records are kept and the rest is moved to `damaged/`. */
export async function checkDataDir(dataDir: string, { repair: withRepair }: { repair: boolean }) {
  if ((await nodeFileSystem.list(dataDir)).length === 0) return [];
  const lock = acquireLock(resolve(dataDir), 'examining it');
  try {
    return await (withRepair ? repair : findDamage)(nodeFileSystem, resolve(dataDir));
  } finally {
    lock.release();
  }
}

/** Opens a store that is elsewhere, with the data directory of the state file locked until the store is closed. */
async function withLock(dataDir: string | undefined, purpose: string, open: () => Promise<OpenedStore>) {
  if (dataDir === undefined) return open();
  await nodeFileSystem.makeDirectory(dataDir);
  const lock = acquireLock(dataDir, purpose);
  try {
    const { store, ...rest } = await open();
    return { store: releasing(store, lock), ...rest };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function releasing(store: Store, lock: Lock): Store {
  return wrapStore(store, {
    async close() {
      await store.close();
      lock.release();
    },
  });
}
