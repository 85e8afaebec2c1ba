import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '../../lib/start-error.js';

/**
 * What the store asks of the operating system; tests put faults here. Files are opened for reading and writing, mode
 * 0600, and never through a symbolic link.
 */
export interface FileSystem {
  open(path: string, mode: OpenMode): Promise<number>;
  /** Bytes written, which may be fewer than given. `synced`: they, though not others, are on the disk when this answers. */
  write(file: number, bytes: Uint8Array, position: number, synced?: boolean): Promise<number>;
  /** Bytes read. */
  read(file: number, into: Uint8Array, position: number): number;
  readFile(path: string): Promise<Buffer>;
  size(file: number): Promise<number>;
  truncate(file: number, length: number): Promise<void>;
  /** Contents (and size) are on the disk when this answers. */
  sync(file: number): Promise<void>;
  close(file: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Names in a directory; none when there is no such directory. */
  list(directory: string): Promise<string[]>;
  /** Mode 0700, parents too. */
  makeDirectory(path: string): Promise<void>;
  /** Creations, renames and removals in it are on the disk when this answers. */
  syncDirectory(path: string): Promise<void>;
}

/** `create` fails when the file exists, `replace` empties it. */
export type OpenMode = 'existing' | 'create' | 'replace';

const { O_CREAT, O_DSYNC, O_EXCL, O_NOFOLLOW = 0, O_RDWR, O_TRUNC, O_WRONLY } = fs.constants;
const FLAGS: Record<OpenMode, number> = {
  existing: O_RDWR | O_NOFOLLOW,
  create: O_RDWR | O_NOFOLLOW | O_CREAT | O_EXCL,
  replace: O_RDWR | O_NOFOLLOW | O_CREAT | O_TRUNC,
};

const open = promisify(fs.open);
const close = promisify(fs.close);
const fsync = promisify(fs.fsync);
const fdatasync = promisify(fs.fdatasync);
const ftruncate = promisify(fs.ftruncate);
const readAll = promisify(fs.readFile);
const fstat = promisify(fs.fstat);

/** Bytes that are copied into the system's cache sooner than another thread could be asked to do it. */
const SMALL_WRITE = 65_536;

async function write(file: number, bytes: Uint8Array, position: number, synced = false): Promise<number> {
  if (!synced) return writeUnsynced(file, bytes, position);
  const twin = syncedTwin(file);
  if (twin !== undefined) return writeElsewhere(twin, bytes, position);
  const written = await writeUnsynced(file, bytes, position);
  await fdatasync(file);
  return written;
}

async function writeUnsynced(file: number, bytes: Uint8Array, position: number): Promise<number> {
  if (bytes.length <= SMALL_WRITE) return fs.writeSync(file, bytes, 0, bytes.length, position);
  return writeElsewhere(file, bytes, position);
}

/** In another thread. promisify(fs.write) makes an object of every result; this is on the path of every write. */
function writeElsewhere(file: number, bytes: Uint8Array, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    fs.write(file, bytes, 0, bytes.length, position, (error, written) =>
      error === null ? resolve(written) : reject(error),
    );
  });
}

/** By file: the same, opened once more so that each write is followed by what fdatasync does. */
const syncedTwins = new Map<number, number>();

/**
 * With it, writing and syncing are one call, in another thread, instead of two. Linux alone: elsewhere the flag is unknown,
 * or leaves the bytes in the cache of the drive.
 */
function syncedTwin(file: number): number | undefined {
  const known = syncedTwins.get(file);
  if (known !== undefined || process.platform !== 'linux') return known;
  try {
    const twin = fs.openSync(`/proc/self/fd/${file}`, O_WRONLY | O_DSYNC);
    syncedTwins.set(file, twin);
    return twin;
  } catch {
    return undefined;
  }
}

async function closeFile(file: number): Promise<void> {
  const twin = syncedTwins.get(file);
  syncedTwins.delete(file);
  await Promise.all([close(file), twin === undefined ? undefined : close(twin)]);
}

async function openFile(path: string, mode: OpenMode): Promise<number> {
  try {
    return await open(path, FLAGS[mode], 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') throw new SymbolicLinkError(path);
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
    return await fs.promises.readdir(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Makes a directory and those above it that are missing, mode 0700. Level by level: `recursive` of Node.js never ends below
 * a directory that is there but takes no new ones and says ENOENT, as `/proc` does.
 */
export async function makeDirectories(path: string): Promise<void> {
  try {
    await fs.promises.mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (await isDirectory(path)) return;
    const parent = dirname(path);
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT' && parent !== path;
    if (!isMissing || (await isDirectory(parent))) throw error;
    await makeDirectories(parent);
    await makeDirectories(path);
  }
}

const isDirectory = (path: string): Promise<boolean> =>
  fs.promises.stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

async function makeDirectory(path: string): Promise<void> {
  await makeDirectories(path);
  const found = await fs.promises.lstat(path);
  if (found.isSymbolicLink()) throw new SymbolicLinkError(path);
  if ((found.mode & 0o077) !== 0) await fs.promises.chmod(path, 0o700);
}

async function syncDirectory(path: string): Promise<void> {
  // Windows has no such thing and refuses to open a directory.
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await fsync(directory);
  } finally {
    await close(directory);
  }
}

export const nodeFileSystem: FileSystem = {
  open: openFile,
  write,
  read: (file, into, position) => fs.readSync(file, into, 0, into.length, position),
  readFile,
  size: async (file) => (await fstat(file)).size,
  truncate: (file, length) => ftruncate(file, length),
  sync: (file) => fdatasync(file),
  close: closeFile,
  rename: (from, to) => fs.promises.rename(from, to),
  remove: (path) => fs.promises.rm(path, { force: true }),
  list,
  makeDirectory,
  syncDirectory,
};

/** A symbolic link where the store expects a file or directory of its own. */
export class SymbolicLinkError extends StartError {
  override name = 'SymbolicLinkError';

  constructor(readonly path: string) {
    super(
      'symbolic_link',
      `${path} is a symbolic link; the data directory must neither be one nor hold one.`,
    );
  }
}

/** Writes all of the bytes, however few the system takes at a time. */
export async function writeFully(
  files: FileSystem,
  file: number,
  bytes: Uint8Array,
  position: number,
  synced = false,
): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const written = await files.write(file, bytes.subarray(done), position + done, synced);
    // A disk that takes nothing and reports nothing is full; asking again would never end.
    if (written === 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    done += written;
  }
}
