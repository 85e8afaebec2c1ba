import * as fs from 'node:fs';
import { promisify } from 'node:util';
import { makeDirectories, renameFile } from '../../../src/contract/files.js';
import { StartError } from '../../lib/start-error.js';

/** Names in a data directory. */
export const HEADER_FILE = 'store.json';
export const JOURNAL_DIR = 'journal';
export const SNAPSHOTS_DIR = 'snapshots';
/** Holds copies of the damaged files that a repair replaced, and the unfinished tails that a start removed. */
export const QUARANTINE_DIR = 'damaged';

/** What the store asks of the operating system, as owner only and never through a symbolic link. Tests inject faults here. */
export interface FileSystem {
  open(path: string, mode: OpenMode): Promise<number>;
  /** Returns how many bytes were written, which may be fewer than given. */
  write(file: number, bytes: Uint8Array, position: number): Promise<number>;
  readFile(path: string): Promise<Buffer>;
  truncate(file: number, length: number): Promise<void>;
  /** Puts the file's content and size on the disk. */
  sync(file: number): Promise<void>;
  close(file: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Lists the names in a directory; none if there is no such directory. */
  list(directory: string): Promise<string[]>;
  /** Creates a directory and its parents with mode 0700. */
  makeDirectory(path: string): Promise<void>;
  /** Puts the creations, renames and removals in a directory on the disk. */
  syncDirectory(path: string): Promise<void>;
}

/** `replace` creates a file, or empties it. */
export type OpenMode = 'existing' | 'replace';

const { O_CREAT, O_NOFOLLOW = 0, O_RDWR, O_TRUNC } = fs.constants;
const FLAGS: Record<OpenMode, number> = {
  existing: O_RDWR | O_NOFOLLOW,
  replace: O_RDWR | O_NOFOLLOW | O_CREAT | O_TRUNC,
};

// Files are opened, listed and renamed by synchronous calls: they change what the system has in memory, which takes less time
// than asking another thread. A start makes twenty such calls. Goal S3: 5.2 → 5.0.
const close = promisify(fs.close);
const fsync = promisify(fs.fsync);
const fdatasync = promisify(fs.fdatasync);
const ftruncate = promisify(fs.ftruncate);
const readAll = promisify(fs.readFile);

/** Bytes up to which copying into the system's cache takes less time than asking another thread to do it. */
const SMALL_WRITE = 65_536;
const writeInThread = promisify(fs.write);

async function write(file: number, bytes: Uint8Array, position: number): Promise<number> {
  if (bytes.length <= SMALL_WRITE) return fs.writeSync(file, bytes, 0, bytes.length, position);
  return (await writeInThread(file, bytes, 0, bytes.length, position)).bytesWritten;
}

async function openFile(path: string, mode: OpenMode): Promise<number> {
  try {
    return fs.openSync(path, FLAGS[mode], 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') throw symbolicLink(path);
    throw error;
  }
}

async function readFile(path: string): Promise<Buffer> {
  const file = await openFile(path, 'existing');
  try {
    return await readAll(file);
  } finally {
    await close(file);
  }
}

async function list(directory: string): Promise<string[]> {
  try {
    return fs.readdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

export const DIRECTORY_MODE = 0o700;

async function makeDirectory(path: string): Promise<void> {
  makeDirectories(path, DIRECTORY_MODE);
  const found = fs.lstatSync(path);
  if (found.isSymbolicLink()) throw symbolicLink(path);
  if ((found.mode & 0o077) !== 0) await fs.promises.chmod(path, DIRECTORY_MODE);
}

async function syncDirectory(path: string): Promise<void> {
  // Windows refuses to open a directory.
  if (process.platform === 'win32') return;
  const directory = fs.openSync(path, 'r');
  try {
    await fsync(directory);
  } finally {
    await close(directory);
  }
}

export const nodeFileSystem: FileSystem = {
  open: openFile,
  write,
  readFile,
  truncate: (file, length) => ftruncate(file, length),
  sync: (file) => fdatasync(file),
  close: (file) => close(file),
  rename: (from, to) => renameFile(from, to),
  remove: (path) => fs.promises.rm(path, { force: true }),
  list,
  makeDirectory,
  syncDirectory,
};

/** There is a symbolic link where the store expects a file or directory. */
const symbolicLink = (path: string): StartError =>
  new StartError(
    'symbolic_link',
    `${path} is a symbolic link; the data directory must neither be one nor hold one.`,
  );

/** Writes all bytes, however few the system takes at a time. */
export async function writeFully(files: FileSystem, file: number, bytes: Uint8Array, position: number) {
  for (let done = 0; done < bytes.length; ) {
    const written = await files.write(file, bytes.subarray(done), position + done);
    // A disk that takes nothing without an error is full.
    if (written === 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    done += written;
  }
}
