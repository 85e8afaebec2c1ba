import { cp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { directoryProbe } from '../../../emulator/data-dir/open-directory.js';
import { openDiskStore } from '../../../emulator/store/disk-store.js';
import { nodeFileSystem } from '../../../emulator/store/files/file-system.js';
import { Presence } from '../../../emulator/store/files/presence.js';
import { open, temporaryDataDir, warnings } from '../../support/data-dir.js';
import { idsIn, insert, logEntry, TENANT, token } from './contract.js';

/** A value that JSON does not have. */
const UNSERIALIZABLE: unknown = 1n;

it('a commit that is too large fails alone', async () => {
  const { store } = await openDiskStore({
    files: nodeFileSystem,
    dataDir: await temporaryDataDir(),
    durability: 'sync',
    maxCommitBytes: 10_000,
    logger: { warn: () => {} },
  });
  onTestFinished(() => store.close());
  const data = 'x'.repeat(6_000);
  const results = await Promise.allSettled([
    insert(store, token('small', 0, { data })),
    insert(store, token('large-1', 0, { data }), token('large-2', 0, { data })),
    insert(store, token('other', 0, { data })),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await idsIn(store)).toEqual(['other', 'small']);
});

describe('commits of one batch', () => {
  it('are stored, although one of them cannot be serialized and fails', async () => {
    const dataDir = await temporaryDataDir();
    let store = await open(dataDir);
    const data = ['first', UNSERIALIZABLE, 'second', UNSERIALIZABLE, 'third'];
    const results = await Promise.allSettled(
      data.map((value, i) => insert(store, token(`${i}-a`), token(`${i}-b`, 0, { data: value }))),
    );
    const stays = (_: unknown, i: number) => (i % 2 === 0 ? 'fulfilled' : 'rejected');
    expect(results.map(({ status }) => status)).toEqual(data.map(stays));
    expect(results[1]).toMatchObject({ reason: { name: 'StorageError', cause: { name: 'TypeError' } } });
    const ids = ['0-a', '0-b', '2-a', '2-b', '4-a', '4-b'];
    const stored = async () => (await idsIn(store)).sort();
    expect(await stored()).toEqual(ids);
    await store.close();
    store = await open(dataDir);
    expect(await stored()).toEqual(ids);
    expect(warnings).toEqual([]);
  });

  it('are stored together with the entries, although one of those cannot be serialized and is lost', async () => {
    const store = await open(await temporaryDataDir());
    const messages = ['first', UNSERIALIZABLE, 'second'] as string[];
    store.record(messages.map((message, number) => logEntry(-number, { message })));
    await insert(store, token('token'));
    expect((await store.find('log', {})).records.map(({ id }) => id)).toEqual(['0', '-2']);
    expect(await store.get('tokens', TENANT, 'token')).toBeDefined();
    expect(warnings).toEqual([
      expect.stringMatching(/^Entries of the audit log could not be written \(1\): /),
    ]);
  });

  it('are written in several appends when they are large', async () => {
    const writes: number[] = [];
    const files = {
      ...nodeFileSystem,
      async write(...[file, bytes, position]: Parameters<typeof nodeFileSystem.write>) {
        writes.push(bytes.length);
        return nodeFileSystem.write(file, bytes, position);
      },
    };
    const store = await open(await temporaryDataDir(), { files });
    const data = 'x'.repeat(3_000_000);
    await Promise.all(Array.from({ length: 10 }, (_, i) => insert(store, token(`t${i}`, 0, { data }))));
    expect((await store.find('tokens', { limit: 0 })).total).toBe(10);
    expect(Math.max(...writes)).toBeLessThan(10_000_000);
  });
});

it.each([
  ['the data directory is moved', (dataDir: string) => rename(dataDir, `${dataDir}.moved`)],
  ['the journal is removed', (dataDir: string) => rm(join(dataDir, 'journal'), { recursive: true })],
  ['the store header is removed', (dataDir: string) => rm(join(dataDir, 'store.json'))],
  [
    'the journal is replaced by a copy',
    async (dataDir: string) => {
      await rename(join(dataDir, 'journal'), `${dataDir}.moved`);
      await cp(`${dataDir}.moved`, join(dataDir, 'journal'), { recursive: true });
    },
  ],
])('when %s, writes are refused and health says so, and reads go on', async (_, remove) => {
  const dataDir = await temporaryDataDir();
  const presence = new Presence();
  const probe = directoryProbe(dataDir, presence);
  const store = await open(dataDir, { presence });
  await insert(store, token('a'));
  expect(await probe()).toMatchObject({ kind: 'disk', state: 'ok' });
  await remove(dataDir);
  expect(await probe()).toMatchObject({ kind: 'disk', state: 'unavailable' });
  let written = 0;
  const write = () => {
    written += 1;
    return insert(store, token(`b${written}`)).then(
      () => 'stored',
      (error: Error) => error.name,
    );
  };
  await expect.poll(write).toBe('StorageError');
  expect(await store.get('tokens', TENANT, 'a')).toMatchObject({ id: 'a' });
});
