import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Keeps a data directory, which holds keys, out of git: writes a `.gitignore` there unless there is one. */
export async function ignoreInGit(dataDir: string): Promise<void> {
  // Without the file everything else works, so a failure, such as a full disk, is left to what needs the disk.
  await writeFile(join(dataDir, '.gitignore'), '*\n', { flag: 'wx', mode: 0o600 }).catch(() => {});
}
