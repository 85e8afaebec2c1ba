import { dirname } from 'node:path';
import { DamagedError } from '../errors.js';
import { type FileSystem, writeFully } from './file-system.js';

/** The suffix of a file that will be renamed when it is complete. */
export const TEMP_SUFFIX = '.new';

/** Replaces a file so that there is always a whole one: a temporary file is synced and renamed over the old one. */
export async function replaceFile(files: FileSystem, path: string, content: string | Uint8Array) {
  const temporary = path + TEMP_SUFFIX;
  try {
    const file = await files.open(temporary, 'replace');
    try {
      await writeFully(files, file, typeof content === 'string' ? Buffer.from(content) : content, 0);
      await files.sync(file);
    } finally {
      await files.close(file);
    }
    await files.rename(temporary, path);
  } catch (error) {
    await files.remove(temporary).catch(() => {});
    throw error;
  }
  await files.syncDirectory(dirname(path));
}

/** Returns the content of a file, or undefined if there is none. */
export async function readFileIfAny(files: FileSystem, path: string): Promise<Buffer | undefined> {
  try {
    return await files.readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Returns the content of a JSON file, or undefined if there is none. @throws DamagedError it is not JSON */
export async function readJsonFile<T>(files: FileSystem, path: string): Promise<T | undefined> {
  const bytes = await readFileIfAny(files, path);
  try {
    return bytes && (JSON.parse(bytes.toString('utf8')) as T);
  } catch {
    throw new DamagedError(path, undefined, 'this is not JSON');
  }
}

export function writeJsonFile(files: FileSystem, path: string, content: object): Promise<void> {
  return replaceFile(files, path, `${JSON.stringify(content, null, 2)}\n`);
}
