import { StorageError } from '../../store/errors.js';
import type { SnapshotStorage } from '../../store/snapshots.js';

/** Copies all snapshots, and reads each copy again. Returns their number. */
export async function copySnapshots(source: SnapshotStorage, target: SnapshotStorage): Promise<number> {
  const names = await source.names();
  for (const name of names) {
    const text = await readText(source, name);
    await target.write(name, text);
    if ((await readText(target, name)) !== text)
      throw new StorageError(`The copy of the snapshot ${name} differs`);
  }
  return names.length;
}

/** Whether the target has a copy of every snapshot. A snapshot only there was removed from the source before the kill. */
export async function hasCopies(source: SnapshotStorage, target: SnapshotStorage): Promise<boolean> {
  for (const name of await source.names())
    if ((await readText(source, name)) !== (await readText(target, name))) return false;
  return true;
}

export async function removeSnapshots(storage: SnapshotStorage): Promise<void> {
  for (const name of await storage.names()) await storage.remove(name);
}

async function readText(storage: SnapshotStorage, name: string): Promise<string> {
  return (await storage.read(name))?.text() ?? '';
}
