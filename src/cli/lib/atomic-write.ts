import { randomUUID } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import { type FileHandle, lstat, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { withPath } from './file-error.js';

interface AtomicWriteOptions {
  /** Mode of a new file. Default 0o600: readable by its owner only. */
  mode?: number;
  /**
   * Where the content is written before it replaces the file, in the same directory. A fixed path leaves at most one
   * such file when the process is killed again and again, but allows only one writer. Default: a random name.
   */
  temporaryPath?: string;
  /** Whether a symbolic link at the path is replaced instead of the file it names. */
  replaceLink?: boolean;
  signal?: AbortSignal;
}

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

/** Creates a file and never opens an existing one or follows a link, which someone else could have put there. */
const EXCLUSIVE = O_WRONLY | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0);

/**
 * Writes a file so that its old content stays intact until the new content is complete and on disk. A symbolic link is
 * kept and the file it names is replaced. A device or pipe such as /dev/stdout is written to directly.
 * @throws {NodeJS.ErrnoException} when the file cannot be written; the old content is unchanged
 */
export async function writeFileAtomically(
  path: string,
  content: string | Readable,
  options: AtomicWriteOptions = {},
): Promise<void> {
  try {
    await write(path, content, options);
  } catch (error) {
    throw withPath(error, path);
  }
}

async function write(
  path: string,
  content: string | Readable,
  { mode = 0o600, temporaryPath, replaceLink = false, signal }: AtomicWriteOptions,
): Promise<void> {
  const existing = await (replaceLink ? lstat : stat)(path).catch(() => undefined);
  if (existing && !existing.isFile() && !existing.isSymbolicLink()) {
    const source = typeof content === 'string' ? Readable.from([content]) : content;
    return pipeline(source, createWriteStream(path), { signal });
  }
  const target = existing && !replaceLink ? await realpath(path) : path;
  const temporary = temporaryPath ?? `${target}.${randomUUID()}`;
  // A process that was killed may have left it.
  if (temporaryPath !== undefined) await rm(temporary, { force: true });
  const file = await open(temporary, EXCLUSIVE, mode);
  try {
    if (typeof content === 'string') await writeAndSync(file, content);
    else await pipeline(content, file.createWriteStream({ flush: true }), { signal });
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeAndSync(file: FileHandle, text: string): Promise<void> {
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
