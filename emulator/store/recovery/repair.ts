import { basename, join } from 'node:path';
import { DamagedError } from '../errors.js';
import { readFileIfAny, replaceFile } from '../files/atomic-file.js';
import {
  type FileSystem,
  HEADER_FILE,
  JOURNAL_DIR,
  QUARANTINE_DIR,
  SNAPSHOTS_DIR,
} from '../files/file-system.js';
import { type ChangeLine, formatLine } from '../journal/line.js';
import { SEGMENT_BYTES, scan, segmentNumbers, segmentPath } from '../journal/segment.js';
import { snapshotContent, snapshotPath, storedSnapshots } from '../snapshot-storage.js';
import {
  type ListedSegment,
  readHeaderOfStore,
  type StoreHeader,
  type StoreIdentity,
  writeHeader,
} from '../store-header.js';
import { type Damage, inspectJournal } from './inspect.js';

/**
 * Finds what is damaged in a data directory that nobody has open: what keeps a start from opening it, and snapshots that cannot
 * be restored. What only the data key can tell is left to the start.
 *
 * @throws StartError another version wrote it
 */
export async function findDamage(files: FileSystem, dataDir: string): Promise<Damage[]> {
  const { header, damage } = await inspectHeader(files, dataDir);
  const inJournal = header ? (await inspectJournal(files, dataDir, header)).damage : [];
  return [...damage, ...inJournal, ...(await damagedSnapshots(files, dataDir, header?.snapshots))];
}

/** Returns no header for a directory without a store. */
async function inspectHeader(files: FileSystem, dataDir: string) {
  try {
    return { header: await readHeaderOfStore(files, dataDir), damage: [] };
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error;
    const { file, problem } = error;
    return { damage: [{ file, problem }] };
  }
}

async function damagedSnapshots(files: FileSystem, dataDir: string, listed: readonly string[] = []) {
  const damage: Damage[] = [];
  for (const name of new Set([...listed, ...(await storedSnapshots(files, dataDir))])) {
    const file = snapshotPath(dataDir, name);
    try {
      snapshotContent(await files.readFile(file));
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      damage.push({ file, problem: `this snapshot is ${isMissing ? 'missing' : 'not what was written'}` });
    }
  }
  return damage;
}

/**
 * Keeps what can be read and copies damaged files to `damaged/`. May be repeated after an interruption.
 * @throws Error the store header is lost, and no segment is left that says which store it is
 */
export async function repair(files: FileSystem, dataDir: string): Promise<Damage[]> {
  const damage = await findDamage(files, dataDir);
  if (damage.length === 0) return [];
  const directory = join(dataDir, QUARANTINE_DIR);
  await files.makeDirectory(directory);
  const damaged = [...new Set(damage.map(({ file }) => file))];
  for (const path of damaged) {
    const bytes = await readFileIfAny(files, path);
    if (bytes) await replaceFile(files, join(directory, basename(path)), bytes);
  }
  const snapshots = damaged.filter((path) => path.startsWith(join(dataDir, SNAPSHOTS_DIR)));
  for (const path of snapshots) await files.remove(path);
  const isStore = damaged.length > snapshots.length || (await inspectHeader(files, dataDir)).header;
  if (isStore) await rewriteJournal(files, dataDir);
  return damage;
}

/** Writes every change that can be read to new segments, and removes the others. */
async function rewriteJournal(files: FileSystem, dataDir: string): Promise<void> {
  const directory = join(dataDir, JOURNAL_DIR);
  const { journal, next, revision, snapshots: _, ...identity } = await completeHeader(files, dataDir);
  const lines = new Map<number, ChangeLine>();
  const found = await inspectJournal(files, dataDir, { ...identity, journal, next, revision }, (line) => {
    // A segment and the one that replaced it hold the same lines.
    if (!lines.has(line.rev)) lines.set(line.rev, line);
    return undefined;
  });
  const segments = await writeSegments(
    files,
    directory,
    { identity, next },
    [...lines.values()].sort((a, b) => a.rev - b.rev),
  );
  await writeHeader(files, dataDir, {
    ...identity,
    revision: Math.max(found.revision, ...lines.keys()),
    next: next + segments.length,
    journal: segments,
    snapshots: await storedSnapshots(files, dataDir),
  });
  const kept = new Set(segments.map(({ number }) => segmentPath(directory, number)));
  for (const name of await files.list(directory))
    if (!kept.has(join(directory, name))) await files.remove(join(directory, name));
  await files.syncDirectory(directory);
}

async function completeHeader(files: FileSystem, dataDir: string): Promise<StoreHeader> {
  const directory = join(dataDir, JOURNAL_DIR);
  const { header: known } = await inspectHeader(files, dataDir);
  const numbers = (await segmentNumbers(files, directory)).sort((a, b) => a - b);
  const unlisted = numbers.filter((number) => number >= (known?.next ?? 0));
  const segments: (ListedSegment & { store: StoreIdentity | undefined })[] = [];
  for (const number of unlisted) segments.push(await readSegment(files, directory, number));
  // Compaction gives the number of a new segment to old changes.
  segments.sort((a, b) => (a.revisions?.[0] ?? 0) - (b.revisions?.[0] ?? 0));
  const store = known ?? segments.find((segment) => segment.store)?.store;
  if (store === undefined)
    throw new Error(
      `${join(dataDir, HEADER_FILE)} cannot be repaired, because no segment says what it held: restore it from a backup`,
    );
  const journal = segments.map(({ store: _, ...listed }) => listed);
  const next = Math.max(known?.next ?? 1, ...numbers.map((number) => number + 1));
  return { ...store, revision: known?.revision ?? 0, next, journal: [...(known?.journal ?? []), ...journal] };
}

async function readSegment(files: FileSystem, directory: string, number: number) {
  const bytes = await files.readFile(segmentPath(directory, number));
  let store: StoreIdentity | undefined;
  let revisions: ListedSegment['revisions'];
  for (const { line } of scan(bytes)) {
    if (line && 'store' in line) store = line.store;
    if (line && 'rev' in line) revisions = [revisions?.[0] ?? line.rev, line.rev];
  }
  return { number, bytes: bytes.length, ...(revisions && { revisions }), store };
}

async function writeSegments(
  files: FileSystem,
  directory: string,
  { identity, next }: { identity: StoreIdentity; next: number },
  lines: readonly ChangeLine[],
): Promise<ListedSegment[]> {
  const segments: ListedSegment[] = [];
  for (let from = 0; from < lines.length || segments.length === 0; ) {
    const content = [formatLine({ store: identity })];
    const first = lines[from]?.rev;
    let bytes = 0;
    for (; from < lines.length && bytes < SEGMENT_BYTES; from += 1) {
      const line = formatLine(lines[from] as ChangeLine);
      content.push(line);
      bytes += line.length;
    }
    const number = next + segments.length;
    const text = Buffer.concat(content);
    await replaceFile(files, segmentPath(directory, number), text);
    const last = lines[from - 1]?.rev;
    const revisions = first !== undefined && last !== undefined && { revisions: [first, last] as const };
    segments.push({ number, bytes: text.length, ...revisions });
  }
  return segments;
}
