import { join } from 'node:path';
import { DamagedError } from '../errors.js';
import type { FileSystem } from '../files/file-system.js';
import { SNAPSHOTS_DIR } from '../files/layout.js';
import { snapshotContent } from '../snapshot-storage.js';
import { readHeaderOfStore, type StoreHeader } from '../store-header.js';
import { type Damage, inspectJournal } from './inspect.js';

/**
 * Finds what is damaged in a data directory that nobody has open: what keeps a start from opening it, and snapshots that cannot
 * be restored. What only the data key can tell is left to the start.
 *
 * @throws FormatError another version wrote it
 */
export async function findDamage(files: FileSystem, dataDir: string): Promise<Damage[]> {
  const header = await headerOrDamage(files, dataDir);
  const inHeader = header === undefined || 'problem' in header ? [header ?? []].flat() : [];
  const inJournal =
    header && 'journal' in header ? (await inspectJournal(files, dataDir, header)).damage : [];
  return [...inHeader, ...inJournal, ...(await damagedSnapshots(files, dataDir))];
}

/** Returns undefined for a directory without a store. */
export async function headerOrDamage(
  files: FileSystem,
  dataDir: string,
): Promise<StoreHeader | Damage | undefined> {
  try {
    return await readHeaderOfStore(files, dataDir);
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error;
    const { file, line, problem } = error;
    return { file, ...(line !== undefined && { line }), problem };
  }
}

async function damagedSnapshots(files: FileSystem, dataDir: string): Promise<Damage[]> {
  const directory = join(dataDir, SNAPSHOTS_DIR);
  const damage: Damage[] = [];
  for (const name of await files.list(directory)) {
    const file = join(directory, name);
    try {
      snapshotContent(await files.readFile(file));
    } catch {
      damage.push({ file, problem: 'this snapshot is not what was written' });
    }
  }
  return damage;
}
