import type { WorkingCredentials } from '../../../src/contract/control/state-file.js';
import { StorageError } from '../../store/errors.js';
import type { SnapshotStorage } from '../../store/snapshot-storage.js';
import type { Insert, Store } from '../../store/store.js';
import { RecordDigests } from './record-digests.js';

const BATCH_RECORDS = 200;

type Source = Pick<Store, 'copy' | 'find'>;

/** Returns the digests of all records of a store; with `target`, of their copies there. */
export async function digestRecords(store: Source, signal: AbortSignal, target?: Source) {
  const digests = new RecordDigests();
  const adapt = target && revisionAdapter(store, target);
  await store.copy(async (change) => {
    signal.throwIfAborted();
    digests.add(adapt ? await adapt(change) : change);
  });
  return digests;
}

/** Copies all records to a store, and returns the digests of what it must hold afterwards. */
export async function copyRecords(
  source: Source,
  target: Store,
  { signal, onCopied }: { signal: AbortSignal; onCopied(records: number): void },
): Promise<RecordDigests> {
  const digests = new RecordDigests();
  const adapt = revisionAdapter(source, target);
  let batch: Insert[] = [];
  const flush = async () => {
    const { length } = batch;
    if (length > 0) await target.commit(batch);
    batch = [];
    onCopied(length);
  };
  await source.copy(async (change) => {
    signal.throwIfAborted();
    // Responses are adapted to the applications of the target, which must be there before them.
    if (change.insert !== batch[0]?.insert || batch.length >= BATCH_RECORDS) await flush();
    const adapted = await adapt(change);
    digests.add(adapted);
    batch.push(adapted);
  });
  await flush();
  return digests;
}

type Adapt = (change: Insert) => Promise<Insert>;

/** Returns a function that gives stored responses the revisions of the target's applications, which must be there first. */
function revisionAdapter(source: Pick<Store, 'find'>, target: Pick<Store, 'find'>): Adapt {
  const revisionsOf = async (store: Pick<Store, 'find'>) => {
    const { records } = await store.find('applications', {});
    return new Map(records.map(({ id, revision }) => [id, revision]));
  };
  let read: Promise<[ReadonlyMap<string, number>, ReadonlyMap<string, number>]> | undefined;
  return async (change) => {
    if (change.insert !== 'idempotency') return change;
    const { application_id: id, application_revision: revision } = change.record;
    if (id === undefined || revision === undefined) return change;
    read ??= Promise.all([revisionsOf(source), revisionsOf(target)]);
    const [before, after] = await read;
    // No application ever has revision 0.
    const application_revision = before.get(id) === revision ? (after.get(id) ?? 0) : 0;
    return { ...change, record: { ...change.record, application_revision } };
  };
}

/** What an emulator keeps apart from its records: the credentials that clients use. */
type KeptState = { controlToken: string | undefined; tenants: readonly WorkingCredentials[] };

/** The source or the target of a move: a data directory or a database that no emulator uses. */
export interface MoveEnd {
  name: string;
  store: Store;
  snapshotStorage: SnapshotStorage;
  readState(): Promise<KeptState>;
  writeState(state: KeptState): Promise<void>;
  /** Removes all records and snapshots for good. @param storeUrl the database of the move: a directory remembers it */
  empty(storeUrl: string): Promise<void>;
}

/** Copies all snapshots, and reads each copy again. Returns their number. */
export async function copySnapshots(source: SnapshotStorage, target: SnapshotStorage): Promise<number> {
  const names = await source.names();
  for (const name of names) {
    const text = (await source.read(name)) ?? '';
    await target.write(name, text);
    if ((await target.read(name)) !== text)
      throw new StorageError(`The copy of the snapshot ${name} differs`);
  }
  return names.length;
}

/** Whether the target has a copy of every snapshot. A snapshot only there was removed from the source before the kill. */
export async function hasCopies(source: SnapshotStorage, target: SnapshotStorage): Promise<boolean> {
  for (const name of await source.names())
    if ((await source.read(name)) !== (await target.read(name))) return false;
  return true;
}

export async function removeSnapshots(storage: SnapshotStorage): Promise<void> {
  for (const name of await storage.names()) await storage.remove(name);
}
