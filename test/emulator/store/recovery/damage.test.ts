import { cp, mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { Snapshots } from '../../../../emulator/services/snapshots.js';
import { openStore } from '../../../../emulator/store/disk-store.js';
import { nodeFileSystem } from '../../../../emulator/store/files/file-system.js';
import { findDamage, repair } from '../../../../emulator/store/recovery/repair.js';
import { asKilled, filesOf, open, temporaryDataDir } from '../../../support/data-dir.js';
import { scratchDir } from '../../../support/executable.js';
import { insert, TENANT, token } from '../contract.js';

const PAGE = 4096;
const TOKENS = 120;
const idOf = (number: number) => `token-${number}`;

/** Returns a repeatable source of numbers in [0, 1), well spread. */
function sequence(): () => number {
  let state = 0.5;
  return () => {
    state = (state + 0.618_033_988_75) % 1;
    return state;
  };
}

/** The kinds of damage. Each changes a file, or does nothing if the file is too small for it. */
const KINDS: Record<string, (path: string, bytes: Buffer, random: () => number) => Promise<void>> = {
  removed: (path) => rm(path),
  emptied: (path) => truncate(path),
  'cut at a line end': (path, bytes, random) =>
    truncate(path, bytes.subarray(0, Math.floor(random() * bytes.length)).lastIndexOf('\n') + 1),
  'cut anywhere': (path, bytes, random) => truncate(path, Math.floor(random() * bytes.length)),
  'a page of zeros': (path, bytes, random) => {
    const at = PAGE * Math.floor((random() * bytes.length) / PAGE);
    return writeFile(path, bytes.fill(0, at, Math.min(at + PAGE, bytes.length)));
  },
  'a flipped bit': (path, bytes, random) => {
    const at = Math.floor(random() * bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    return writeFile(path, bytes);
  },
};

/** A data directory of several segments and a snapshot, that was closed. */
const source = join(scratchDir(), 'data');
beforeAll(async () => {
  const { store, snapshots } = await openWithSnapshots(source, { durability: 'os' });
  await store.commit([{ insert: 'settings', record: { id: 's', value: 'the setting' } }]);
  for (let number = 0; number < TOKENS; number += 1)
    await insert(store, token(idOf(number), number, { data: `${number} ${'x'.repeat(80_000)}` }));
  await store.commit([{ remove: 'tokens', tenantId: TENANT, id: idOf(5) }]);
  await snapshots.save('saved', new Date(0));
  await store.close();
});

async function closedDirectory(): Promise<string> {
  const dataDir = await temporaryDataDir();
  await cp(source, dataDir, { recursive: true });
  return dataDir;
}

async function openWithSnapshots(dataDir: string, options = {}) {
  const { store, snapshotStorage } = await openStore({ dataDir, logger: { warn() {} }, ...options });
  return { store, snapshots: new Snapshots(store, snapshotStorage) };
}

/** Returns the numbers of the tokens that are stored, all of which must be as they were. */
async function storedIn(dataDir: string): Promise<number[]> {
  const store = await open(dataDir);
  const { records } = await store.find('tokens', { tenantId: TENANT });
  for (const { id, data } of records) expect(data).toMatch(new RegExp(`^${id.slice(6)} x{80000}$`));
  await store.close();
  return records.map(({ id }) => Number(id.slice(6))).sort((a, b) => a - b);
}

const ALL = Array.from({ length: TOKENS }, (_, number) => number).filter((number) => number !== 5);
/** Tokens that a segment holds at most. */
const MOST_IN_SEGMENT = 54;

// Fault: start, repair | file damaged or missing | disk
describe.each(Object.entries(KINDS))('a stopped data directory with a damaged file: %s', (_, damage) => {
  it('is served whole or refused with the name of the file, and a repair keeps the rest', async () => {
    const random = sequence();
    const paths = (await filesOf(source)).map((path) => relative(source, path));
    expect(paths.length).toBeGreaterThan(4);
    for (const path of paths) {
      const dataDir = await closedDirectory();
      const file = join(dataDir, path);
      await damage(file, await readFile(file), random);
      const error = await open(dataDir)
        .then((store) => store.close())
        .catch((reason) => reason);
      const found = await findDamage(nodeFileSystem, dataDir);
      if (path.startsWith('snapshots')) {
        expect([path, error]).toEqual([path, undefined]);
        expect(found.map((one) => one.file)).toEqual([file]);
        await expectSnapshotRefused(dataDir);
      } else if (error) expect(error).toMatchObject({ name: 'DamagedError', file });
      else expect([path, await storedIn(dataDir)]).toEqual([path, ALL]);
      if (error) expect(found.map((one) => one.file)).toContain(file);
      await repair(nodeFileSystem, dataDir);
      expect(await findDamage(nodeFileSystem, dataDir)).toEqual([]);
      const kept = await storedIn(dataDir);
      expect(ALL).toEqual(expect.arrayContaining(kept));
      expect(kept.length).toBeGreaterThanOrEqual(
        path.startsWith('journal') ? ALL.length - MOST_IN_SEGMENT : ALL.length,
      );
    }
  });
});

/** A snapshot that is damaged or missing is not restored, and the rest is served. */
async function expectSnapshotRefused(dataDir: string): Promise<void> {
  const { store, snapshots } = await openWithSnapshots(dataDir);
  await expect(snapshots.restore('saved')).rejects.toMatchObject({ name: 'DamagedError' });
  await store.close();
  expect(await storedIn(dataDir)).toEqual(ALL);
}

it('a repair gives up a damaged snapshot that is all that there is', async () => {
  const dataDir = await temporaryDataDir();
  const file = join(dataDir, 'snapshots', 'saved.jsonl');
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, '{');
  expect(await repair(nodeFileSystem, dataDir)).toMatchObject([{ file }]);
  expect(await findDamage(nodeFileSystem, dataDir)).toEqual([]);
});

it('a snapshot that was removed by the emulator, or that a repair gave up, is not missing', async () => {
  const dataDir = await closedDirectory();
  const [file] = (await filesOf(dataDir)).filter((path) => path.includes('snapshots'));
  await rm(String(file));
  expect(await findDamage(nodeFileSystem, dataDir)).toEqual([{ file, problem: 'this snapshot is missing' }]);
  await repair(nodeFileSystem, dataDir);
  const { store, snapshots } = await openWithSnapshots(dataDir);
  expect(await snapshots.restore('saved')).toBeUndefined();
  await snapshots.save('again', new Date(0), TENANT);
  await snapshots.removeAll(TENANT);
  await store.close();
  expect(await findDamage(nodeFileSystem, dataDir)).toEqual([]);
});

it('a segment that is missing is named with the changes that it held', async () => {
  const dataDir = await closedDirectory();
  const [first] = (await filesOf(dataDir)).filter((path) => basename(path) === '00000001.jsonl');
  await rm(String(first));
  await expect(open(dataDir)).rejects.toThrow(
    /00000001\.jsonl: this file is missing; it held changes 1 to \d+, the last before 20/,
  );
});

it('a page of zeros in the newest segment of a killed store is damage if commits follow', async () => {
  const running = await temporaryDataDir();
  const store = await open(running);
  for (let number = 0; number < 30; number += 1)
    await insert(store, token(idOf(number), number, { data: 'x'.repeat(900) }));
  const dataDir = await asKilled(running);
  const path = join(dataDir, 'journal', '00000001.jsonl');
  const bytes = await readFile(path);
  await writeFile(path, bytes.fill(0, PAGE, 2 * PAGE));
  await expect(open(dataDir)).rejects.toMatchObject({ name: 'DamagedError', file: path });
  await repair(nodeFileSystem, dataDir);
  expect(await readFile(join(dataDir, 'damaged', basename(path)))).toEqual(bytes);
});

it('a segment that the header does not list is refused if it is newer', async () => {
  const dataDir = await closedDirectory();
  const path = join(dataDir, 'journal', '00000009.jsonl');
  await cp(join(dataDir, 'journal', '00000001.jsonl'), path);
  await expect(open(dataDir)).rejects.toMatchObject({ name: 'DamagedError', file: path });
});
