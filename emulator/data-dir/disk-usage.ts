import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the bytes of all files below a directory. A file that is removed in the meantime counts nothing. */
export async function diskUsage(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(
        async (entry) => (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0,
      ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
