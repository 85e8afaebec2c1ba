import { resolve } from 'node:path';
import { createLogger } from '../../lib/logger.js';
import { StartError } from '../../lib/start-error.js';
import type { DataKey } from '../../store/data-key.js';
import { isUnfinished, markFinished, markUnfinished } from '../move-marks.js';
import {
  copyRecords,
  copySnapshots,
  digestRecords,
  hasCopies,
  type MoveEnd,
  removeSnapshots,
} from './copy-records.js';
import { openDirectoryEnd, withDatabaseEnd } from './directory-end.js';
import type { RecordCounts } from './record-digests.js';

export interface MoveOptions {
  dataDir: string;
  /** `postgres://user@host:5432/database` */
  storeUrl: string;
  to: 'database' | 'directory';
  databaseKey: DataKey;
  directoryKey: DataKey;
  /** Aborts the move; the target is then empty again. */
  signal: AbortSignal;
  /** Called after each commit, with the number of records that it copied. */
  onCopied(records: number): void;
}

export type Moved = { records: RecordCounts; snapshots: number };

/**
 * Moves records, snapshots and keys from a data directory to a database, or back. Compares each record of the target with that
 * of the source, then empties the source, so that no copy outlives a later deletion. Until then the source is unchanged, and
 * no emulator starts on the target.
 *
 * After a kill, the next move starts again from the beginning; if the target was complete, it only empties the source.
 *
 * @throws StartError
 */
export async function moveData(options: MoveOptions): Promise<Moved> {
  const { storeUrl, to, databaseKey, directoryKey } = options;
  const dataDir = resolve(options.dataDir);
  const logger = createLogger();
  const toDirectory = to === 'directory';
  // The directory first: it says at once that it is missing or in use.
  const directory = await openDirectoryEnd(dataDir, directoryKey, { mustExist: !toDirectory, logger });
  try {
    return await withDatabaseEnd({ url: storeUrl, dataKey: databaseKey, logger }, (database) =>
      toDirectory ? move(database, directory, options) : move(directory, database, options),
    );
  } finally {
    await directory.close();
  }
}

async function move(source: MoveEnd, target: MoveEnd, options: MoveOptions): Promise<Moved> {
  const wasInterrupted = await isUnfinished(target.store);
  if (await isUnfinished(source.store)) throw unfinishedSource(source);
  const { total } = await source.store.find('tenants', { limit: 0 });
  if (total === 0) throw new StartError('nothing_to_move', `There is no tenant in ${source.name}.`);
  const moved =
    (!wasInterrupted && (await findCopy(source, target, options.signal))) ||
    (await copyAll(source, target, options));
  await source.empty(options.storeUrl);
  return moved;
}

/** Returns the content of a complete target; undefined if it is empty. @throws StartError `target_not_empty` */
async function findCopy(source: MoveEnd, target: MoveEnd, signal: AbortSignal): Promise<Moved | undefined> {
  const held = await digestRecords(target.store, signal);
  const { length: snapshots } = await target.snapshotStorage.names();
  if (held.size === 0 && snapshots === 0) return undefined;
  const isCopy =
    held.firstDifference(await digestRecords(source.store, signal, target.store)) === undefined &&
    (await hasCopies(source.snapshotStorage, target.snapshotStorage));
  if (isCopy) return { records: held.counts, snapshots };
  throw new StartError('target_not_empty', `There is data in ${target.name} already.`);
}

/** Copies everything to a target, which is empty again if that fails. */
async function copyAll(source: MoveEnd, target: MoveEnd, options: MoveOptions): Promise<Moved> {
  await discard(target, true);
  try {
    const copied = await copyRecords(source.store, target.store, options);
    const snapshots = await copySnapshots(source.snapshotStorage, target.snapshotStorage);
    await target.writeState(await source.readState());
    const difference = copied.firstDifference(await digestRecords(target.store, options.signal));
    if (difference !== undefined)
      throw new StartError('move_failed', `The copy of a record differs: ${difference}.`);
    await target.store.commit([markFinished]);
    return { records: copied.counts, snapshots };
  } catch (error) {
    // If this fails too, the mark stays, and the next move discards the data.
    await discard(target, false).catch(() => {});
    throw error;
  }
}

async function discard({ store, snapshotStorage }: MoveEnd, isUnfinishedAfterwards: boolean): Promise<void> {
  await removeSnapshots(snapshotStorage);
  await store.commit([{ clear: 'everything' }, ...(isUnfinishedAfterwards ? [markUnfinished] : [])]);
}

function unfinishedSource({ name }: MoveEnd): StartError {
  return new StartError(
    'move_unfinished',
    `A move to ${name} was interrupted: it holds a part of the data only.`,
  );
}
