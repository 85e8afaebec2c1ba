import { resolve } from 'node:path';
import type { Logger } from './logger.js';
import type { EmulatorOptions } from './options.js';
import { nodeFileSystem } from './store/files/file-system.js';
import { acquireLock } from './store/files/lock.js';
import { createMemoryStore } from './store/memory-store.js';
import { openStore } from './store/open-store.js';
import type { Store } from './store/store.js';

const DEFAULT_PURPOSE = 'emulator';

/**
 * The store that the options ask for. A data directory is this process's alone, even when only the state file is kept
 * in it.
 *
 * @throws LockedError another process has the data directory
 */
export async function openStorage(options: EmulatorOptions, logger: Logger): Promise<Store> {
  const { memory, durability, dataKey, purpose = DEFAULT_PURPOSE } = options;
  if (options.dataDir === undefined) return createMemoryStore();
  const dataDir = resolve(options.dataDir);
  if (memory) return lockedMemoryStore(dataDir, purpose);
  return openStore({
    dataDir,
    logger,
    purpose,
    ...(durability && { durability }),
    ...(dataKey && { dataKey }),
  });
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
    async close() {
      await store.close();
      release();
    },
  };
}
