import { resolve } from 'node:path';
import type { Logger } from '../lib/logger.js';
import type { EmulatorOptions } from '../options.js';
import { nodeFileSystem } from '../store/files/file-system.js';
import { acquireLock } from '../store/files/lock.js';
import { isEncrypted, openManifest } from '../store/manifest.js';
import { createMemoryStore } from '../store/memory-store.js';
import { openStore } from '../store/open-store.js';
import { type Damage, examine, repair } from '../store/recovery/doctor.js';
import { directorySnapshotStorage, memorySnapshotStorage } from '../store/snapshot-storage.js';
import { Snapshots } from '../store/snapshots.js';
import type { Store } from '../store/store.js';

const DEFAULT_PURPOSE = 'emulator';

/**
 * The store that the options ask for. A data directory is this process's alone, even when only the state file is kept
 * in it.
 *
 * @throws LockedError another process has the data directory
 */
export async function openStorage(options: EmulatorOptions, logger: Logger): Promise<Store> {
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

/** The named snapshots of a store, kept where the store is kept. */
export async function openSnapshots(options: EmulatorOptions, store: Store): Promise<Snapshots> {
  const { dataDir, memory, dataKey } = options;
  if (dataDir === undefined || memory) return new Snapshots(store, memorySnapshotStorage());
  const { sealing } = await openManifest(nodeFileSystem, resolve(dataDir), false, dataKey);
  return new Snapshots(store, directorySnapshotStorage(nodeFileSystem, resolve(dataDir), sealing));
}

/** Whether a data directory needs a key; one that is not there yet does not. */
export function needsKey(dataDir: string): Promise<boolean> {
  return isEncrypted(nodeFileSystem, resolve(dataDir));
}

/**
 * What cannot be read of a data directory that nobody has open; with `repair`, what can be read is kept and the rest is
 * put aside in `damaged/`.
 *
 * @throws LockedError another process has the data directory
 */
export async function checkDataDir(
  dataDir: string,
  { repair: mend }: { repair: boolean },
): Promise<Damage[]> {
  if ((await nodeFileSystem.list(dataDir)).length === 0) return [];
  const release = acquireLock(resolve(dataDir), 'examining it');
  try {
    return await (mend ? repair : examine)(nodeFileSystem, resolve(dataDir));
  } finally {
    release();
  }
}

async function lockedMemoryStore(dataDir: string, purpose: string): Promise<Store> {
  await nodeFileSystem.makeDirectory(dataDir);
  const release = acquireLock(dataDir, purpose);
  const store = createMemoryStore();
  return {
    get: store.get.bind(store),
    find: store.find.bind(store),
    commit: store.commit.bind(store),
    record: store.record.bind(store),
    copy: store.copy.bind(store),
    async close() {
      await store.close();
      release();
    },
  };
}
