import type { DataKey } from './data-key.js';
import { type DiskStore, openDiskStore } from './disk-store.js';
import { fencedFileSystem } from './files/fenced-file-system.js';
import { type FileSystem, nodeFileSystem } from './files/file-system.js';
import { acquireLock } from './files/lock.js';
import { Presence } from './files/presence.js';

export interface DataDirOptions {
  dataDir: string;
  /** `sync` (default): a commit resolves when it is synced to the disk. `os`: when the system has it. */
  durability?: 'sync' | 'os';
  /** Encrypts token data. The same key opens the directory again. */
  dataKey?: DataKey;
  logger: { warn(message: string): void };
  /** Shown to other processes that ask for the data directory. */
  purpose?: string;
  /** Tells whether the files are still there while the store is open. */
  presence?: Presence;
  /** Default: the operating system's. Tests inject faults here. */
  files?: FileSystem;
}

/**
 * Opens the store in a data directory, which is created if needed and locked until the store is closed.
 *
 * @throws LockedError another process has locked the data directory
 * @throws DamagedError
 * @throws FormatError
 * @throws WrongKeyError
 */
export async function openStore(options: DataDirOptions): Promise<DiskStore> {
  const { files = nodeFileSystem, durability = 'sync', purpose = 'tokenctl', ...rest } = options;
  const { presence = new Presence() } = options;
  await files.makeDirectory(options.dataDir);
  const lock = acquireLock(options.dataDir, purpose);
  try {
    const fenced = fencedFileSystem(files, () => {
      lock.assertHeld();
      presence.assertThere();
    });
    return await openDiskStore({
      ...rest,
      files: fenced,
      durability,
      presence,
      onClose: async () => lock.release(),
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}
