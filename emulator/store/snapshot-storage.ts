import { join } from 'node:path';
import pLimit from 'p-limit';
import { jsonOf } from '../../src/contract/json.js';
import type { RecordCipher } from './encryption.js';
import { DamagedError, storageError } from './errors.js';
import { readFileIfAny, replaceFile } from './files/atomic-file.js';
import { checksum } from './files/checksum.js';
import { type FileSystem, SNAPSHOTS_DIR } from './files/file-system.js';
import type { Journal } from './journal/journal.js';

export interface SnapshotStorage {
  write(name: string, text: string): Promise<void>;
  /** @throws DamagedError it is not what was written */
  read(name: string): Promise<string | undefined>;
  /** Does nothing when there is no snapshot of this name. */
  remove(name: string): Promise<void>;
  names(): Promise<string[]>;
}

const SUFFIX = '.jsonl';
const LINE_FEED = 0x0a;

export function memorySnapshotStorage(): SnapshotStorage {
  const snapshots = new Map<string, string>();
  return {
    write: async (name, text) => void snapshots.set(name, text),
    read: async (name) => snapshots.get(name),
    remove: async (name) => void snapshots.delete(name),
    names: async () => [...snapshots.keys()],
  };
}

export const snapshotPath = (dataDir: string, name: string): string =>
  join(dataDir, SNAPSHOTS_DIR, name + SUFFIX);

export async function storedSnapshots(files: FileSystem, dataDir: string): Promise<string[]> {
  const names = await files.list(join(dataDir, SNAPSHOTS_DIR));
  return names.filter((name) => name.endsWith(SUFFIX)).map((name) => name.slice(0, -SUFFIX.length));
}

/** Keeps snapshots as files of the data directory, encrypted if it is. The store header says which of them must be there. */
export function directorySnapshotStorage(
  files: FileSystem,
  dataDir: string,
  cipher: RecordCipher,
  journal: Pick<Journal, 'snapshots' | 'listSnapshot'>,
): SnapshotStorage {
  // Two writes of a name would have the same temporary file, and the list must have what is there in the end.
  const inOrder = pLimit(1);
  return {
    async write(name, text) {
      try {
        await files.makeDirectory(join(dataDir, SNAPSHOTS_DIR));
        await inOrder(async () => {
          await replaceFile(files, snapshotPath(dataDir, name), snapshotFile(cipher.encryptFile(text)));
          await journal.listSnapshot(name, true);
        });
      } catch (error) {
        throw snapshotError(name, error);
      }
    },
    async read(name) {
      const bytes = await readFileIfAny(files, snapshotPath(dataDir, name)).catch((error: unknown) => {
        throw snapshotError(name, error);
      });
      if (!bytes && journal.snapshots.has(name))
        throw damagedSnapshot(name, undefined, 'its file is missing');
      return bytes && decryptSnapshot(name, () => cipher.decryptFile(snapshotContent(bytes)));
    },
    async remove(name) {
      // Without room for the list, the file makes some.
      const remove = () => files.remove(snapshotPath(dataDir, name));
      await inOrder(() => journal.listSnapshot(name, false).finally(remove));
    },
    async names() {
      return [...new Set([...(await storedSnapshots(files, dataDir)), ...journal.snapshots])];
    },
  };
}

/** Returns the text of a stored snapshot. @throws DamagedError */
export function decryptSnapshot(name: string, decrypt: () => string): string {
  try {
    return decrypt();
  } catch {
    throw damagedSnapshot(name, 1, 'it does not match its checksum, or cannot be decrypted');
  }
}

/** A snapshot that the emulator did not write, or not like this. */
export function damagedSnapshot(
  name: string,
  line: number | undefined,
  problem: string,
  advice = 'Nothing was changed. Save the snapshot again.',
): DamagedError {
  return new DamagedError(`snapshot ${name}`, line, problem, { advice });
}

/** Returns the file of a snapshot: a line with the checksum of the rest, which is plain or encrypted. */
function snapshotFile(content: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify({ sum: checksum(content) })}\n`), content]);
}

/** Returns the content of the file of a snapshot. @throws Error it is not what was written */
export function snapshotContent(file: Buffer): Buffer {
  const end = file.indexOf(LINE_FEED);
  const content = file.subarray(end + 1);
  const head = jsonOf(file.toString('latin1', 0, Math.max(end, 0))) as { sum?: unknown } | undefined | null;
  if (head?.sum !== checksum(content)) throw new Error('it does not match its checksum');
  return content;
}

/** A directory with the name of a snapshot is damage that whoever created it can repair. */
function snapshotError(name: string, error: unknown): Error {
  if ((error as NodeJS.ErrnoException).code !== 'EISDIR') return storageError(error);
  const advice = 'Nothing was changed. Remove the directory, or choose another name.';
  return damagedSnapshot(name, 1, 'it is a directory', advice);
}
