import { dirname } from 'node:path';
import { type FileSystem, writeFully } from './file-system.js';

/** How the name ends of a file that is not yet where it is to be. */
export const TEMP_SUFFIX = '.new';

/**
 * Replaces a file so that there is always a whole one: written beside, put on the disk, renamed over the old one, and the
 * directory put on the disk.
 */
export async function replaceFile(
  files: FileSystem,
  path: string,
  content: string | Uint8Array,
): Promise<void> {
  const beside = path + TEMP_SUFFIX;
  try {
    const file = await files.open(beside, 'replace');
    try {
      await writeFully(files, file, typeof content === 'string' ? Buffer.from(content) : content, 0);
      await files.sync(file);
    } finally {
      await files.close(file);
    }
    await files.rename(beside, path);
  } catch (error) {
    await files.remove(beside).catch(() => {});
    throw error;
  }
  await files.syncDirectory(dirname(path));
}

/** The content of a file; undefined when there is none. */
export async function readFileIfAny(files: FileSystem, path: string): Promise<Buffer | undefined> {
  try {
    return await files.readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
