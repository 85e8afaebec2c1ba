import { StorageError } from '../../store/errors.js';
import type { SnapshotStorage } from '../../store/snapshot-storage.js';

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
