import { StartError } from '../lib/start-error.js';
import type { CollectionName } from './records.js';

/** A precondition of a commit did not hold. `id` is that of the existing record or, for `missing`, the one looked for. */
export class ConflictError extends Error {
  override name = 'ConflictError';

  constructor(
    /** The id exists, `unless` matched, or the record was changed or removed. */
    readonly reason: 'id' | 'unless' | 'revision' | 'missing',
    readonly collection: CollectionName,
    readonly id: string,
  ) {
    super(`conflict (${reason}) in ${collection}`);
  }
}

/** Handles a commit whose conflict means that nothing is left to do: the record was changed or removed by someone else. */
export function ignoreConflict(error: unknown): void {
  if (!(error instanceof ConflictError)) throw error;
}

export class StorageFullError extends Error {
  override name = 'StorageFullError';

  constructor(options?: ErrorOptions) {
    super('The disk that holds the data directory is full', options);
  }
}

/** A read or write failed for another reason than a full disk: 503. What was asked for did not happen. */
export class StorageError extends Error {
  override name = 'StorageError';
}

/** The database cannot be reached, or went away: 503. A change may have been made if the connection was cut in its commit. */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError';

  constructor(options?: ErrorOptions) {
    super('The database of the emulator cannot be reached', options);
  }
}

/** For work that is tried again after a while. @throws every other error */
export function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof StoreUnavailableError)) throw error;
}

/** A batch of commits was rolled back for a reason that has passed: it is to be validated and written again. */
export class BatchAbortedError extends Error {
  override name = 'BatchAbortedError';
}

const REPAIR =
  'Nothing was changed. `tokenctl emulator doctor --repair` keeps what can be read and moves the rest to damaged/.';

/** What no repair can tell from what was written: only the data key shows that it is something else. */
export const RESTORE = 'It was changed by something else than the emulator. Restore it from a backup.';

/** A file of the data directory cannot be read. The start stops, and the files stay as they are. */
export class DamagedError extends StartError {
  override name = 'DamagedError';

  /** `line` counts from 1; undefined if all of the file is meant. */
  constructor(
    readonly file: string,
    readonly line: number | undefined,
    readonly problem: string,
    { advice = REPAIR, ...options }: ErrorOptions & { advice?: string } = {},
  ) {
    const place = line === undefined ? file : `${file}, line ${line}`;
    super('data_dir_damaged', `${place}: ${problem}. ${advice}`, options);
  }
}

/** The data is encrypted and the data key is missing or not the right one, or it is not encrypted at all. */
export const wrongKey = (message: string): StartError => new StartError('wrong_data_key', message);

/** The data has a format that this version of the emulator does not know. */
export const unknownFormat = (message: string): StartError => new StartError('unsupported_format', message);

const DISK_FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Whether an error of the store, or of the file system, says that the disk is full. */
export function isDiskFull(error: unknown): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  return error instanceof StorageFullError || (code !== undefined && DISK_FULL.has(code));
}

/** Converts a file system error to the error that the store reports. */
export function storageError(cause: unknown): Error {
  if (isDiskFull(cause)) return new StorageFullError({ cause });
  const { code, message } = cause as NodeJS.ErrnoException;
  return new StorageError(`The data directory could not be read or written: ${code ?? message}`, { cause });
}
