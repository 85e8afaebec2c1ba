import { StartError } from '../lib/start-error.js';
import type { CollectionName } from './records.js';

/** Why a commit was refused: an id that is taken, `unless` that matched, a record changed or gone meanwhile. */
export type ConflictReason = 'id' | 'unless' | 'revision' | 'missing';

/** A precondition of a commit did not hold. `id` is the existing record's (for `missing` the one looked for). */
export class ConflictError extends Error {
  override name = 'ConflictError';

  constructor(
    readonly reason: ConflictReason,
    readonly collection: CollectionName,
    readonly id: string,
  ) {
    super(`conflict (${reason}) in ${collection}`);
  }
}

/** No room on the disk: 507. */
export class StorageFullError extends Error {
  override name = 'StorageFullError';

  constructor(options?: ErrorOptions) {
    super('There is no room left on the disk that holds the data directory', options);
  }
}

/** The disk refused to read or write for another reason than room: 500; what was asked for did not happen. */
export class StorageError extends Error {
  override name = 'StorageError';
}

/** A file of the data directory cannot be read; the start stops and the files stay as they are. */
export class DamagedError extends StartError {
  override name = 'DamagedError';

  /** `line` counts from 1. */
  constructor(
    readonly file: string,
    readonly line: number,
    what: string,
    options?: ErrorOptions,
  ) {
    super(
      'data_dir_damaged',
      `${file}, line ${line}: ${what}. Nothing was changed. ` +
        '`tokenctl emulator doctor --repair` keeps what can be read and puts the rest aside.',
      options,
    );
  }
}

const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** A failure of the disk as the store reports it. */
export function storageError(cause: unknown): Error {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code !== undefined && NO_ROOM.has(code)) return new StorageFullError({ cause });
  return new StorageError(`The data directory could not be read or written: ${code ?? message}`, { cause });
}
