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
