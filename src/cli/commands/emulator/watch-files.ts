import { createReadStream } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { DATA_DIR_NAME } from '../../config/paths.js';
import type { LeakWatch } from '../../emulator/launch.js';
import { usageError } from '../../lib/errors.js';

/** The state of files, by absolute path. A file whose state differs has been written. */
type FileStates = ReadonlyMap<string, string>;

export async function requireDirectories(directories: readonly string[]): Promise<void> {
  for (const directory of directories) {
    const found = await lstat(directory).catch(() => undefined);
    if (!found?.isDirectory()) throw usageError(`--watch-dir must be a directory, but ${directory} is not.`);
  }
}

/** Lists the files below directories, without following links, but for ignored directories. One that was removed has none. */
export async function listFiles(
  directories: readonly string[],
  ignored: readonly string[],
): Promise<FileStates> {
  const files = new Map<string, string>();
  for (const directory of directories) await addFiles(directory, ignored, files);
  return files;
}

async function addFiles(directory: string, ignored: readonly string[], files: Map<string, string>) {
  if (ignored.includes(directory)) return;
  for (const entry of await readdir(directory, { withFileTypes: true }).catch(unlessRemoved)) {
    const path = join(directory, entry.name);
    // A data directory may belong to another emulator than that of the command.
    if (entry.isDirectory() && entry.name !== DATA_DIR_NAME) await addFiles(path, ignored, files);
    if (!entry.isFile()) continue;
    // A file may be removed while the directory is read.
    const found = await lstat(path, { bigint: true }).catch(() => undefined);
    if (found) files.set(path, `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`);
  }
}

function unlessRemoved(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
  throw error;
}

/** A larger file is read in parts, and not decompressed. */
const MAX_WHOLE_BYTES = 64 * 1024 * 1024;

export async function observeFiles(
  before: FileStates,
  after: FileStates,
  cwd: string,
  watch: LeakWatch,
): Promise<void> {
  for (const [path, state] of after) {
    if (before.get(path) === state) continue;
    const name = relative(cwd, path);
    const place = `file ${name}`;
    watch.observe('the name of a file', name);
    const { size } = await lstat(path);
    if (size <= MAX_WHOLE_BYTES) watch.observeFile(place, await readFile(path));
    else for await (const part of createReadStream(path)) watch.observeStream(place, part as Buffer);
  }
}
