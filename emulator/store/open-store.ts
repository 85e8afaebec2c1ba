import { openDiskStore } from './disk-store.js';
import { type FileSystem, nodeFileSystem } from './files/file-system.js';
import { acquireLock } from './files/lock.js';
import type { DataKey } from './manifest.js';
import { createMemoryStore } from './memory-store.js';
import type { Store } from './store.js';

export type StoreOptions = { memory: true } | DataDirOptions;

export interface DataDirOptions {
  dataDir: string;
  /** `sync` (the default) answers a commit when the disk has it; `os` leaves that to the system. */
  durability?: 'sync' | 'os';
  /** Encrypts token data; the same key opens it again. */
  dataKey?: DataKey;
  logger: { warn(message: string): void };
  /** Said to others who want the same data directory. */
  purpose?: string;
  /** The operating system's, unless a test puts faults between. */
  files?: FileSystem;
}

/**
 * Opens a store: in memory, or in a data directory, which is made if need be and locked until the store is closed.
 *
 * @throws LockedError another process has the data directory
 * @throws DamagedError
 * @throws FormatError
 * @throws WrongKeyError
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  if ('memory' in options) return createMemoryStore();
  const { files = nodeFileSystem, durability = 'sync', purpose = 'tokenctl', ...rest } = options;
  await files.makeDirectory(options.dataDir);
  const release = acquireLock(options.dataDir, purpose);
  try {
    return await openDiskStore({ ...rest, files, durability, onClose: async () => release() });
  } catch (error) {
    release();
    throw error;
  }
}
