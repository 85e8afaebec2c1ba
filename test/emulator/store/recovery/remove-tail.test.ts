import { randomBytes } from 'node:crypto';
import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FileSystem, nodeFileSystem } from '../../../../emulator/store/files/file-system.js';
import { findDamage } from '../../../../emulator/store/recovery/repair.js';
import { asKilled, open, temporaryDataDir, warnings } from '../../../support/data-dir.js';
import { idsIn, insert, token } from '../contract.js';

/** Creates a data directory with tokens, one commit each, as a kill leaves it. */
async function dataDirWith(...ids: string[]) {
  const running = await temporaryDataDir();
  const store = await open(running);
  for (const id of ids) await insert(store, token(id));
  const dataDir = await asKilled(running);
  const segment = join(dataDir, 'journal', '00000001.jsonl');
  return { dataDir, segment, bytes: await readFile(segment) };
}

/** Returns where the n-th group of a segment begins. */
function groupOf(bytes: Buffer, n: number): number {
  const text = bytes.toString('latin1');
  return [...text.matchAll(/\{"sum":"\w+","group":/g)][n - 1]?.index ?? -1;
}

const idsAt = async (dataDir: string, files: FileSystem = nodeFileSystem) =>
  (await idsIn(await open(dataDir, { files }))).sort();

async function quarantined(dataDir: string): Promise<Buffer[]> {
  const directory = join(dataDir, 'damaged');
  const names = await readdir(directory).catch(() => []);
  return Promise.all(names.map((name) => readFile(join(directory, name))));
}

const garbage = (length: number) => Buffer.from(randomBytes(length).map((one) => (one === 10 ? 11 : one)));

const TAILS: [string, Buffer][] = [
  ['one byte', Buffer.from('x')],
  ['a space', Buffer.from(' ')],
  ['NULs', Buffer.alloc(4096)],
  ['NULs and garbage', Buffer.concat([Buffer.alloc(700), garbage(300)])],
  ['a carriage return', Buffer.from('{}\r')],
  ['JSON without a checksum', Buffer.from('{"rev":9,"clear":"everything"}')],
  ...[1, 10, 511, 5000].map((length): [string, Buffer] => [`${length} bytes of garbage`, garbage(length)]),
];

// Fault: start | commit cut anywhere | disk
describe('bytes without a line end at the end of the journal', () => {
  it.each(TAILS)('that are %s go to quarantine, and the start goes on', async (_, tail) => {
    const { dataDir, segment, bytes } = await dataDirWith('a', 'b');
    await appendFile(segment, tail);
    expect(await findDamage(nodeFileSystem, dataDir)).toEqual([]);
    const store = await open(dataDir);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(`${segment}: the last ${tail.length} bytes, from byte ${bytes.length},`);
    expect(await readFile(segment)).toEqual(bytes);
    expect(await quarantined(dataDir)).toEqual([tail]);
    await insert(store, token('c'));
    await store.close();
    expect(await idsAt(dataDir)).toEqual(['a', 'b', 'c']);
    expect(warnings).toEqual([]);
  });

  it('that are a part of a record, cut anywhere, go to quarantine without any other record', async () => {
    const { dataDir, segment, bytes } = await dataDirWith('a', 'b');
    const start = groupOf(bytes, 2);
    const cuts = Array.from(
      { length: 12 },
      (_, i) => start + 1 + Math.floor((i * (bytes.length - start - 2)) / 11),
    );
    for (const end of cuts) {
      await writeFile(segment, bytes.subarray(0, end));
      const store = await open(dataDir);
      expect(warnings[0]).toContain(`the last ${end - start} bytes`);
      expect(await idsIn(store)).toEqual(['a']);
      await store.close();
    }
    const copies = await quarantined(dataDir);
    expect(copies.map(({ length }) => length).sort((a, b) => a - b)).toEqual(cuts.map((end) => end - start));
    for (const copy of copies) expect(copy.toString()).not.toContain('data of a');
  });

  it('follow lines of an unfinished commit, which go to quarantine with them', async () => {
    const running = await temporaryDataDir();
    const store = await open(running);
    await insert(store, token('a'));
    await insert(store, token('b'), token('c'));
    const dataDir = await asKilled(running);
    const segment = join(dataDir, 'journal', '00000001.jsonl');
    const bytes = await readFile(segment);
    await writeFile(segment, bytes.subarray(0, -5));
    expect(await idsAt(dataDir)).toEqual(['a']);
    expect(await quarantined(dataDir)).toEqual([bytes.subarray(groupOf(bytes, 2), -5)]);
  });

  it('are copied to files that nobody else can read', async () => {
    const { dataDir, segment } = await dataDirWith('a');
    await appendFile(segment, 'tail');
    await open(dataDir);
    const directory = join(dataDir, 'damaged');
    const [name = ''] = await readdir(directory);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect((await stat(join(directory, name))).mode & 0o777).toBe(0o600);
  });

  it('are on the disk in quarantine before they leave the segment, which is then synced', async () => {
    const { dataDir, segment } = await dataDirWith('a');
    await appendFile(segment, 'tail');
    const steps: string[] = [];
    const files: FileSystem = {
      ...nodeFileSystem,
      truncate: async (...args) => {
        steps.push(`truncate with ${(await quarantined(dataDir)).join()}`);
        await nodeFileSystem.truncate(...args);
      },
      syncDirectory: async (path) => {
        steps.push(path.slice(dataDir.length));
        await nodeFileSystem.syncDirectory(path);
      },
      sync: async (...args) => {
        steps.push('sync');
        await nodeFileSystem.sync(...args);
      },
    };
    await open(dataDir, { files });
    expect(steps.slice(0, 5)).toEqual(['', 'sync', '/damaged', 'truncate with tail', 'sync']);
  });

  it('are dropped with a warning if the disk is full', async () => {
    const { dataDir, segment, bytes } = await dataDirWith('a');
    await appendFile(segment, 'tail');
    const write = async () => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    };
    expect(await idsAt(dataDir, { ...nodeFileSystem, write })).toEqual(['a']);
    expect(warnings[0]).toMatch(/the last 4 bytes.*dropped, because the disk is full/);
    expect(await readFile(segment)).toEqual(bytes);
  });

  it('stop the start if an acknowledged commit follows', async () => {
    const { dataDir, segment, bytes } = await dataDirWith('a', 'b', 'c');
    bytes.fill(0, groupOf(bytes, 2) + 100, groupOf(bytes, 2) + 300);
    await writeFile(segment, bytes);
    await expect(open(dataDir)).rejects.toMatchObject({ name: 'DamagedError', file: segment });
    expect(await findDamage(nodeFileSystem, dataDir)).toMatchObject([{ file: segment }]);
    expect(await readFile(segment)).toEqual(bytes);
  });
});

it.each([
  ['the last record with a wrong checksum', 5, (text: string) => text.replace('data of b', 'data of B')],
  ['an earlier record with a wrong checksum', 3, (text: string) => text.replace('data of a', 'data of A')],
  ['garbage with a line end', 6, (text: string) => `${text}garbage\n`],
  ['garbage with a line end before an unfinished tail', 6, (text: string) => `${text}garbage\ntail`],
])('a complete line that is damaged stops the start and changes nothing: %s', async (_, line, damage) => {
  const { dataDir, segment, bytes } = await dataDirWith('a', 'b');
  const damaged = damage(bytes.toString());
  await writeFile(segment, damaged);
  await expect(open(dataDir)).rejects.toMatchObject({
    name: 'DamagedError',
    file: segment,
    line,
    message: expect.stringContaining('tokenctl emulator doctor --repair'),
  });
  expect(await readFile(segment, 'utf8')).toBe(damaged);
  expect(await quarantined(dataDir)).toEqual([]);
});
