import { chmod, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dataKeyFrom } from '../../../emulator/store/data-key.js';
import { openStore } from '../../../emulator/store/disk-store.js';
import { nodeFileSystem } from '../../../emulator/store/files/file-system.js';
import { repair } from '../../../emulator/store/recovery/repair.js';
import { FORMAT } from '../../../emulator/store/store-header.js';
import { asKilled, closedDirectory, filesOf, holds, open, temporaryDataDir } from '../../support/data-dir.js';
import { idsIn, insert, logEntry, read, TENANT, token } from './contract.js';

const KEY = async () => Buffer.alloc(32, 1);

async function activeSegment(dataDir: string): Promise<string> {
  const path = (await filesOf(dataDir))
    .filter((file) => /\d{8}\.jsonl$/.test(file))
    .sort()
    .at(-1);
  if (path === undefined) throw new Error('no segment');
  return path;
}

describe('a data directory', () => {
  it('writes nothing once it is closed', async () => {
    const dataDir = await temporaryDataDir();
    const { store, snapshotStorage } = await openStore({ dataDir, logger: { warn() {} } });
    await insert(store, token('a'));
    await store.close();
    await expect(insert(store, token('b'))).rejects.toThrow('closed');
    await expect(snapshotStorage.write('s', 'text')).rejects.toThrow('closed');
    expect(await idsIn(await open(dataDir))).toEqual(['a']);
  });

  it('holds records of any id, term and time after the next start', async () => {
    const ids = ['plain', 'a "quoted" one', 'back\\slash', 'zoë', 'line\nfeed', ',"record":', ''];
    const tokens = ids.map((id, minute) =>
      token(id, minute, { metadata: { k: id }, expires_at: new Date(minute - 2).toISOString() }),
    );
    const dataDir = await temporaryDataDir();
    let store = await open(dataDir);
    await insert(store, ...tokens);
    for (const record of tokens) await insert(store, { ...record, id: `${record.id}, alone` });
    await store.close();
    store = await open(dataDir);
    for (const { id } of tokens) {
      for (const known of [id, `${id}, alone`]) {
        expect(await store.get('tokens', TENANT, known)).toMatchObject({ id: known });
      }
      expect(await idsIn(store, { term: 'metadata.k', is: id })).toEqual([id, `${id}, alone`]);
    }
    const early = ids.slice(0, 2).reverse();
    expect(await idsIn(store, { range: 'expires_at', lt: 0 })).toEqual(
      early.flatMap((id) => [id, `${id}, alone`]),
    );
  });

  it('finds records by their current terms after the next start, whether a change or a search is first', async () => {
    const dataDir = await temporaryDataDir();
    let store = await open(dataDir);
    const kept = Array.from({ length: 3000 }, (_, i) => token(`kept-${i}`, i, { metadata: { k: 'all' } }));
    await insert(store, ...kept, token('a', 0, { metadata: { k: 'old' } }), token('b'));
    const total = async (value: string) =>
      (await store.find('tokens', { where: { term: 'metadata.k', is: value } })).total;
    for (const change of ['replace', 'insert', 'find'] as const) {
      await store.close();
      store = await open(dataDir);
      if (change === 'replace') {
        const record = { ...(await read(store, 'a')), metadata: { k: 'new' } };
        await store.commit([{ replace: 'tokens', record }]);
        await store.commit([{ remove: 'tokens', tenantId: TENANT, id: 'b' }]);
      }
      if (change === 'insert') await insert(store, token('c', 0, { metadata: { k: 'all' } }));
      expect([await total('old'), await total('new')]).toEqual([0, 1]);
      expect(await total('all')).toBe(change === 'replace' ? 3000 : 3001);
    }
  });

  it('searches the new records if all are replaced while an index is built', async () => {
    const store = await open(await temporaryDataDir(), { durability: 'os' });
    await insert(store, ...Array.from({ length: 30_000 }, (_, i) => token(`old-${i}`)));
    const totalOf = async (prefix: string) =>
      (await store.find('tokens', { tenantId: TENANT, where: { term: 'id', prefix } })).total;
    const found = totalOf('');
    await store.commit([
      { clear: 'tenant', tenantId: TENANT },
      { insert: 'tokens', record: token('new') },
    ]);
    expect([1, 30_000]).toContain(await found);
    expect([await totalOf('old'), await totalOf('new')]).toEqual([0, 1]);
  });

  it('has mode 0700 and files with mode 0600, whatever the modes before', async () => {
    const dataDir = await temporaryDataDir();
    await mkdir(dataDir, { mode: 0o777 });
    await chmod(dataDir, 0o777);
    const store = await open(dataDir);
    await insert(store, token('a'));
    await store.commit([{ insert: 'settings', record: { id: 's', value: 1 } }]);
    for (const path of await filesOf(dataDir))
      expect([path, (await stat(path)).mode & 0o777]).toEqual([path, 0o600]);
    for (const path of [dataDir, join(dataDir, 'journal')])
      expect((await stat(path)).mode & 0o777).toBe(0o700);
  });

  it('refuses symbolic links', async () => {
    const dataDir = await closedDirectory([token('a')]);
    const segment = await activeSegment(dataDir);
    await rename(segment, `${dataDir}.elsewhere`);
    await symlink(`${dataDir}.elsewhere`, segment);
    await expect(open(dataDir)).rejects.toMatchObject({ code: 'symbolic_link' });
  });

  it('drops all lines that were being written in a power cut, even those that the disk wrote first', async () => {
    const dataDir = await temporaryDataDir();
    const store = await open(dataDir);
    await insert(store, token('a'));
    await Promise.all(['b', 'c'].map((id) => insert(store, token(id))));
    const killed = await asKilled(dataDir);
    const segment = await activeSegment(killed);
    const text = await readFile(segment, 'utf8');
    await writeFile(segment, text.replace('data of b', '\0'.repeat('data of b'.length)));
    expect(await idsIn(await open(killed))).toEqual(['a']);
  });

  it('without a store header is not opened; a repair restores it from the journal', async () => {
    const dataDir = await temporaryDataDir();
    let store = await open(dataDir);
    await insert(store, token('a', 0, { search_values: ['x'] }));
    await store.commit([{ insert: 'settings', record: { id: 's', value: 1 } }]);
    await store.close();
    await rename(join(dataDir, 'store.json'), `${dataDir}.header`);
    await expect(open(dataDir)).rejects.toMatchObject({ name: 'DamagedError' });
    await repair(nodeFileSystem, dataDir);
    store = await open(dataDir);
    expect((await store.find('tokens', { where: { term: 'search', is: 'x' } })).total).toBe(1);
  });

  it('of another format is refused with both numbers', async () => {
    const dataDir = await closedDirectory([]);
    const path = join(dataDir, 'store.json');
    await writeFile(path, JSON.stringify({ format: 99, id: 'other' }));
    await expect(open(dataDir)).rejects.toThrow(new RegExp(`format 99.*format ${FORMAT}`));
  });
});

it('--encrypt creates a key for a new directory, and none for one whose key is missing', async () => {
  const dataDir = await temporaryDataDir();
  const directory = join(await temporaryDataDir(), 'data-keys');
  const dataKey = dataKeyFrom({ directory, dataDir });
  await (await open(dataDir, { dataKey })).close();
  await (await open(dataDir, { dataKey })).close();
  expect(await readdir(directory)).toHaveLength(1);
  await rm(directory, { recursive: true });
  await expect(open(dataDir, { dataKey })).rejects.toThrow(/there is no key for it at/);
  await expect(readdir(directory)).rejects.toThrow('ENOENT');
});

it('--encrypt names a key file that cannot be read or created', async () => {
  const dataDir = await temporaryDataDir();
  const directory = join(dataDir, '..');
  const open = (file: string) => dataKeyFrom({ file, directory, dataDir })('store', true);
  await expect(open(directory)).rejects.toMatchObject({
    code: 'invalid_data_key',
    message: `The key file ${directory} cannot be read: EISDIR.`,
  });
  await expect(open('/proc/tokenctl/key')).rejects.toMatchObject({
    code: 'invalid_data_key',
    message: 'The key file /proc/tokenctl/key cannot be created: ENOENT.',
  });
});

it('--encrypt leaves no token data, search value or secret readable without the key', async () => {
  const dataDir = await temporaryDataDir();
  const secret = '4111 1111 1111 1111 is the number';
  let store = await open(dataDir, { dataKey: KEY });
  await insert(store, token('a', 0, { data: { secret }, search_values: ['searched value'] }));
  expect(await holds(dataDir, secret)).toBe(false);
  expect(await holds(dataDir, 'searched value')).toBe(false);
  await store.close();
  store = await open(dataDir, { dataKey: KEY });
  expect(await store.get('tokens', TENANT, 'a')).toMatchObject({ data: { secret } });
  expect((await store.find('tokens', { where: { term: 'search', is: 'searched value' } })).total).toBe(1);
});

it('--encrypt refuses a key for a directory that is not encrypted', async () => {
  const plain = await closedDirectory([token('a')]);
  await expect(open(plain, { dataKey: KEY })).rejects.toThrow(/created without --encrypt/);
});

it('--encrypt refuses a wrong key and a missing key', async () => {
  const dataDir = await closedDirectory([token('a')], { dataKey: KEY });
  await expect(open(dataDir, { dataKey: async () => Buffer.alloc(32, 2) })).rejects.toThrow(/another key/);
  await expect(open(dataDir)).rejects.toThrow(/is encrypted/);
});

const entry = (number: number) => logEntry(number, { id: `entry-${number}`, message: 'm'.repeat(400) });

it.each([[{}], [{ dataKey: KEY }]])('the log is copied unread after a start and a reset', async (options) => {
  const dataDir = await temporaryDataDir();
  let store = await open(dataDir, options);
  await insert(store, token('a'));
  store.record([1, 2].map(entry));
  await store.close();
  store = await open(dataDir, options);
  const copied: string[] = [];
  await store.copy(async ({ record }) => {
    copied.push(record.id);
    if (copied.length === 1) await store.commit([{ clear: 'everything' }]);
  });
  expect(copied).toEqual(['a', 'entry-1', 'entry-2']);
  expect((await store.find('log', {})).total).toBe(0);
});

it('the log has what was written before a start, and answers conditions while entries are added', async () => {
  const dataDir = await temporaryDataDir();
  let store = await open(dataDir, { durability: 'os' });
  store.record(Array.from({ length: 1_000 }, (_, i) => entry(i)));
  await store.close();
  store = await open(dataDir);
  const where = { term: 'operation', is: 'read' } as const;
  const found = store.find('log', { limit: 2, where });
  store.record([entry(1_000)]);
  expect((await found).records.map(({ id }) => id)).toContain('entry-999');
  const next = await store.find('log', { limit: 2, offset: 999, where: { ...where } });
  expect([next.records.map(({ id }) => id), next.total]).toEqual([['entry-1', 'entry-0'], 1_001]);
  expect((await store.get('log', TENANT, 'entry-1'))?.created_at).toBe(entry(1).record.created_at);
});
