import { createHash, randomBytes } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import { access, lstat, open, readdir, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { renameFile } from '../../contract/files.js';
import { canJudge, currentPlace, isProcessAlive } from '../../contract/process-identity.js';
import { describeFileError, usageError, withPath } from './errors.js';

interface AtomicWriteOptions {
  /** Mode of a new file. Default 0o600: readable by its owner only. */
  mode?: number;
  /** Whether a symbolic link at the path is replaced instead of the file it names. */
  replaceLink?: boolean;
  signal?: AbortSignal;
}

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

/** Creates a file and never opens an existing one or follows a link, which someone else could have put there. */
const EXCLUSIVE = O_WRONLY | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0);

/**
 * Writes a file so that its old content stays intact until the new content is complete and on disk. A symbolic link is
 * kept and the file it names is replaced. A device or pipe such as /dev/stdout is written to directly. What a killed process has
 * left beside the file is removed.
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

/** Finds out before anything else is done that a file cannot be written. @throws {CliError} usage */
export async function assertWritable(path: string, flag: string): Promise<void> {
  const existing = await stat(path).catch(() => undefined);
  const code = existing?.isDirectory()
    ? 'EISDIR'
    : await access(existing ? path : dirname(path), constants.W_OK).then(
        () => undefined,
        (error: NodeJS.ErrnoException) => error.code,
      );
  if (code !== undefined) throw usageError(`${flag}: ${path} cannot be written: ${describeFileError(code)}.`);
}

const ABANDONED_MS = 24 * 60 * 60 * 1000;

/** What follows the path in the name of a temporary file: place and ID of the process. */
const TEMPORARY = /^\.([\da-f]{8})-(\d+)-[\da-f]{16}$/;

/** Returns a mark of the place where IDs of processes mean what they mean here; empty if that cannot be told. */
function placeMark(): string {
  const place = currentPlace();
  if (!canJudge(place)) return '';
  return createHash('sha256').update(JSON.stringify(place)).digest('hex').slice(0, 8);
}

const temporaryName = (target: string): string =>
  `${target}.${placeMark() || '00000000'}-${process.pid}-${randomBytes(8).toString('hex')}`;

async function removeAbandoned(target: string): Promise<void> {
  const [directory, name, here] = [dirname(target), basename(target), placeMark()];
  for (const entry of await readdir(directory).catch(() => [])) {
    const temporary = entry.startsWith(name) ? TEMPORARY.exec(entry.slice(name.length)) : null;
    if (!temporary) continue;
    const [, place, pid] = temporary;
    const path = join(directory, entry);
    const isDead = place === here && !isProcessAlive(Number(pid));
    const written = (await lstat(path).catch(() => undefined))?.mtimeMs ?? Date.now();
    if (isDead || Date.now() - written > ABANDONED_MS) await rm(path, { force: true }).catch(() => {});
  }
}

async function write(
  path: string,
  content: string | Readable,
  { mode = 0o600, replaceLink = false, signal }: AtomicWriteOptions,
): Promise<void> {
  const existing = await (replaceLink ? lstat : stat)(path).catch(() => undefined);
  const source = typeof content === 'string' ? Readable.from([content]) : content;
  if (existing && !existing.isFile() && !existing.isSymbolicLink())
    return pipeline(source, createWriteStream(path), { signal });
  const target = existing && !replaceLink ? await realpath(path) : path;
  const temporary = temporaryName(target);
  await removeAbandoned(target);
  const file = await open(temporary, EXCLUSIVE, mode);
  try {
    await pipeline(source, file.createWriteStream({ flush: true }), { signal });
    await renameFile(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
