import { join } from 'node:path';
import { storageError } from './errors.js';
import { readFileIfAny, replaceFile } from './files/atomic-file.js';
import type { FileSystem } from './files/file-system.js';
import type { Sealing } from './sealing.js';
import type { SnapshotShelf } from './snapshots.js';

const DIRECTORY = 'snapshots';
const ENDING = '.jsonl';

/** Snapshots that go with the process. */
export function memoryShelf(): SnapshotShelf {
  const texts = new Map<string, string>();
  return {
    async write(name, text) {
      texts.set(name, text);
    },
    read: async (name) => texts.get(name),
    names: async () => [...texts.keys()],
  };
}

/** Snapshots as files of the data directory, sealed as it is. */
export function directoryShelf(files: FileSystem, dataDir: string, sealing: Sealing): SnapshotShelf {
  const directory = join(dataDir, DIRECTORY);
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
      return bytes === undefined ? undefined : sealing.unsealFile(bytes);
    },
    async names() {
      const names = await files.list(directory);
      return names.filter((name) => name.endsWith(ENDING)).map((name) => name.slice(0, -ENDING.length));
    },
  };
}
