import { statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StateFile } from '../../src/contract/control/state-file.js';
import type { Logger } from '../lib/logger.js';
import { type DataDirOptions, openStore } from '../store/disk-store.js';
import { readJsonFile, writeJsonFile } from '../store/files/atomic-file.js';
import { nodeFileSystem } from '../store/files/file-system.js';
import { Presence } from '../store/files/presence.js';
import type { SnapshotStorage } from '../store/snapshot-storage.js';
import type { Store, StoreProbe } from '../store/store.js';

export interface OpenedStore {
  store: Store;
  /** Keeps the named snapshots where the store is: in the data directory, the database or memory. */
  snapshotStorage: SnapshotStorage;
  probe: StoreProbe;
}

/** Opens the store of a data directory, which is created if needed. @throws {StartError} */
export async function openDirectory(
  dataDir: string,
  options: Pick<DataDirOptions, 'durability' | 'dataKey' | 'files'> & { purpose: string },
  logger: Logger,
) {
  const presence = new Presence();
  const opened = await openStore({ ...options, dataDir, logger, presence });
  return { ...opened, probe: directoryProbe(dataDir, presence) };
}

/** Keeps a data directory, which holds keys, out of git: writes a `.gitignore` there unless there is one. */
export async function ignoreInGit(dataDir: string): Promise<void> {
  // Without the file everything else works, so a failure, such as a full disk, is left to what needs the disk.
  await writeFile(join(dataDir, '.gitignore'), '*\n', { flag: 'wx', mode: 0o600 }).catch(() => {});
}

const pathIn = (dataDir: string) => join(dataDir, 'state.json');

/** Reads the state file of a data directory; undefined if there is none or it is not valid: a new one is written then. */
export async function readState(dataDir: string): Promise<StateFile | undefined> {
  const content = await readJsonFile(nodeFileSystem, pathIn(dataDir)).catch(() => undefined);
  if (content === undefined) return undefined;
  const { parseStateFile } = await import('../../src/contract/control/state-file.js');
  return parseStateFile(content);
}

export function writeState(dataDir: string, state: StateFile): Promise<void> {
  return writeJsonFile(nodeFileSystem, pathIn(dataDir), state);
}

export function directoryProbe(dataDir: string, presence: Presence): StoreProbe {
  return async () => {
    try {
      if (presence.missing() !== undefined) return { kind: 'disk', state: 'unavailable', error: 'ENOENT' };
      const { bavail, bsize } = await statfs(dataDir);
      const free_bytes = bavail * bsize;
      return { kind: 'disk', state: free_bytes === 0 ? 'full' : 'ok', free_bytes };
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException;
      return { kind: 'disk', state: 'unavailable', error: code };
    }
  };
}
