import type { Insert, Store } from '../../store/store.js';
import { RecordDigests } from './record-digests.js';
import { RevisionAdapter } from './revision-adapter.js';

/** Records that one commit copies. */
const BATCH_RECORDS = 200;

/** The part of a store that a copy reads. */
type Source = Pick<Store, 'copy' | 'find'>;

/**
 * Returns the digests of all records of a store; with `target`, of their copies there.
 * @param signal ends the reading early
 */
export async function digestRecords(
  store: Source,
  signal: AbortSignal,
  target?: Source,
): Promise<RecordDigests> {
  const digests = new RecordDigests();
  const adapter = target && new RevisionAdapter(store, target);
  await store.copy(async (change) => {
    signal.throwIfAborted();
    digests.add(adapter ? await adapter.adapt(change) : change);
  });
  return digests;
}

/**
 * Copies all records to a store, and returns the digests of what it must hold afterwards.
 * @param onCopied called after each commit, with the number of records that it copied
 */
export async function copyRecords(
  source: Source,
  target: Store,
  { signal, onCopied }: { signal: AbortSignal; onCopied(records: number): void },
): Promise<RecordDigests> {
  const digests = new RecordDigests();
  const adapter = new RevisionAdapter(source, target);
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
    const adapted = await adapter.adapt(change);
    digests.add(adapted);
    batch.push(adapted);
  });
  await flush();
  return digests;
}
