import { join } from 'node:path';
import type { RecordCipher } from './encryption.js';
import { storageError } from './errors.js';
import { readFileIfAny, replaceFile } from './files/atomic-file.js';
import type { FileSystem } from './files/file-system.js';
import type { KeptSnapshot, SnapshotStorage } from './snapshots.js';

export const SNAPSHOTS_DIRECTORY = 'snapshots';
const ENDING = '.jsonl';

/** Snapshots that go with the process. */
export function memorySnapshotStorage(): SnapshotStorage {
  const snapshots = new Map<string, KeptSnapshot>();
  return {
    async write(name, text) {
      snapshots.set(name, { bytes: Buffer.from(text), text: () => text });
    },
    read: async (name) => snapshots.get(name),
    names: async () => [...snapshots.keys()],
  };
}

/** Snapshots as files of the data directory, sealed as it is. */
export function directorySnapshotStorage(
  files: FileSystem,
  dataDir: string,
  sealing: RecordCipher,
): SnapshotStorage {
  const directory = join(dataDir, SNAPSHOTS_DIRECTORY);
  const pathOf = (name: string) => join(directory, name + ENDING);
  return {
    async write(name, text) {
      try {
        await files.makeDirectory(directory);
        await replaceFile(files, pathOf(name), sealing.sealFile(text));
      } catch (error) {
        throw storageError(error);
      }
    },
    async read(name) {
      const bytes = await readFileIfAny(files, pathOf(name));
      return bytes === undefined ? undefined : { bytes, text: () => sealing.unsealFile(bytes) };
    },
    async names() {
      const names = await files.list(directory);
      return names.filter((name) => name.endsWith(ENDING)).map((name) => name.slice(0, -ENDING.length));
    },
  };
}
