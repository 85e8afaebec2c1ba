import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '../../lib/atomic-write.js';
import { CliError } from '../../lib/errors.js';
import { makeDirectories } from '../../lib/make-directories.js';
import { readTextFile } from '../../lib/text-file.js';

/** Characters of the hash in a file name. */
const HASH_CHARACTERS = 16;

/** `tokenctl.production.versions` for `tokenctl.production.lock.json`. */
const directoryOf = (lockPath: string): string => lockPath.replace(/\.lock\.json$/, '.versions');
const fileName = (hash: string): string => `${hash.slice(0, HASH_CHARACTERS)}.js`;

/** Keeps the code of a version next to the lock file. @throws {CliError} if it cannot be written */
export async function storeCode(lockPath: string, hash: string, code: string): Promise<void> {
  const directory = directoryOf(lockPath);
  try {
    makeDirectories(directory);
    await writeFileAtomically(join(directory, fileName(hash)), code, { mode: 0o666 });
  } catch (error) {
    const { code: reason } = error as NodeJS.ErrnoException;
    throw new CliError('failed', `The code of the version cannot be kept in ${directory} (${reason}).`);
  }
}

/** Reads the code of a version. @throws {CliError} if it is not there */
export function readCode(lockPath: string, hash: string): Promise<string> {
  const path = join(directoryOf(lockPath), fileName(hash));
  return readTextFile(path, `The code of the version, ${path},`);
}

/** Removes the code of versions that are no longer recorded. */
export async function removeUnusedCode(lockPath: string, hashes: ReadonlySet<string>): Promise<void> {
  const directory = directoryOf(lockPath);
  const used = new Set([...hashes].map(fileName));
  for (const name of await readdir(directory).catch(() => []))
    if (/^[\da-f]{16}\.js$/.test(name) && !used.has(name)) await rm(join(directory, name), { force: true });
}
