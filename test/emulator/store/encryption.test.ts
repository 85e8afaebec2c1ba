import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TokenRecord } from '../../../emulator/store/records.js';
import type { Store } from '../../../emulator/store/store.js';
import { withChecksum } from '../../../emulator/store/wal/line-codec.js';
import { filesOf, open, temporaryDataDir } from '../../support/data-dir.js';
import { insert, OTHER_TENANT, TENANT, token } from './contract.js';

const dataKey = async () => Buffer.alloc(32, 1);
type Line = { put?: string; tenant: string; id: string; record: TokenRecord & { encrypted?: string } };

/** Changes the lines of a segment that holds encrypted values, and writes valid checksums. Returns its path. */
async function changeLines(dataDir: string, change: (lines: Line[]) => void): Promise<string> {
  for (const path of await filesOf(join(dataDir, 'journal'))) {
    const text = await readFile(path, 'utf8');
    if (!text.includes('"encrypted":')) continue;
    const lines = text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line));
    change(lines);
    await writeFile(
      path,
      Buffer.concat(lines.map((line) => withChecksum(Buffer.from(`${JSON.stringify(line)}\n`)))),
    );
    return path;
  }
  throw new Error('no segment holds an encrypted value');
}

function swap<T extends object, K extends keyof T>(a: T | undefined, b: T | undefined, key: K): void {
  if (a === undefined || b === undefined) throw new Error('nothing to swap');
  [a[key], b[key]] = [b[key], a[key]];
}

const lineOf = (lines: Line[], id: string) => lines.find((line) => line.id === id) as Line;

async function directoryWithTokens(): Promise<string> {
  const dataDir = await temporaryDataDir();
  const store = await open(dataDir, { dataKey });
  await insert(store, token('a'));
  await insert(store, token('b'));
  await insert(store, token('c', 0, { tenant_id: OTHER_TENANT }));
  await store.close();
  return dataDir;
}

const read = (store: Store, id: string) => store.get('tokens', id === 'c' ? OTHER_TENANT : TENANT, id);

describe('an encrypted value of another record is refused with file and line', () => {
  const WAYS: [string, (lines: Line[]) => void][] = [
    [
      'the values are swapped',
      (lines) => swap(lineOf(lines, 'a').record, lineOf(lines, 'b').record, 'encrypted'),
    ],
    ['the records are swapped', (lines) => swap(lineOf(lines, 'a'), lineOf(lines, 'b'), 'record')],
    [
      'the records are swapped and their ids are adapted',
      (lines) => {
        swap(lineOf(lines, 'a'), lineOf(lines, 'b'), 'record');
        swap(lineOf(lines, 'a').record, lineOf(lines, 'b').record, 'id');
      },
    ],
    ['the ids of the lines are swapped', (lines) => swap(lineOf(lines, 'a'), lineOf(lines, 'b'), 'id')],
    [
      'the lines claim to be of the other record, and so do the records',
      (lines) => {
        const [a, b] = [lineOf(lines, 'a'), lineOf(lines, 'b')];
        swap(a, b, 'id');
        swap(a.record, b.record, 'id');
      },
    ],
  ];

  it.each(WAYS)('when %s', async (_, change) => {
    const dataDir = await directoryWithTokens();
    const file = await changeLines(dataDir, change);
    const store = await open(dataDir, { dataKey });
    for (const id of ['a', 'b']) {
      await expect(read(store, id)).rejects.toMatchObject({
        name: 'DamagedError',
        file,
        line: expect.toSatisfy((line) => line === 1 || line === 2),
        message: expect.stringContaining('Restore it from a backup'),
      });
    }
    expect((await read(store, 'c'))?.data).toBe('data of c');
    await expect(store.find('tokens', { tenantId: TENANT })).rejects.toMatchObject({ name: 'DamagedError' });
    await expect(store.copy(() => {})).rejects.toMatchObject({ name: 'DamagedError' });
  });

  it('when a record is moved to another tenant', async () => {
    const dataDir = await directoryWithTokens();
    await changeLines(dataDir, (lines) => {
      const line = lineOf(lines, 'c');
      line.tenant = TENANT;
      line.record.tenant_id = TENANT;
    });
    const store = await open(dataDir, { dataKey });
    await expect(store.get('tokens', TENANT, 'c')).rejects.toMatchObject({ name: 'DamagedError', line: 3 });
  });

  it('when it comes from a record with the same id in another collection', async () => {
    const dataDir = await temporaryDataDir();
    let store = await open(dataDir, { dataKey });
    await insert(store, token('a'));
    const created_at = '2026-11-01T00:00:00.000Z';
    const response = { id: 'a', tenant_id: TENANT, status: 200, body: 'x', token_ids: [], created_at };
    await store.commit([{ insert: 'idempotency', record: { ...response, expires_at: created_at } }]);
    await store.close();
    await changeLines(dataDir, ([a, b]) => swap(a?.record, b?.record, 'encrypted'));
    store = await open(dataDir, { dataKey });
    await expect(store.get('tokens', TENANT, 'a')).rejects.toMatchObject({ name: 'DamagedError' });
  });

  it('when lines of the same length are swapped while the emulator runs', async () => {
    const dataDir = await directoryWithTokens();
    const store = await open(dataDir, { dataKey });
    await changeLines(dataDir, (lines) => lines.splice(0, 2, lines[1] as Line, lines[0] as Line));
    for (const id of ['a', 'b']) {
      await expect(read(store, id)).rejects.toMatchObject({ name: 'DamagedError' });
    }
  });

  it('when a value is replaced by plain text', async () => {
    const dataDir = await directoryWithTokens();
    await changeLines(dataDir, (lines) => {
      const { record } = lineOf(lines, 'a');
      delete record.encrypted;
      record.data = 'planted';
    });
    const store = await open(dataDir, { dataKey });
    await expect(read(store, 'a')).rejects.toMatchObject({ name: 'DamagedError', line: 1 });
  });

  it('at the start when it is in documents.json', async () => {
    const dataDir = await temporaryDataDir();
    const store = await open(dataDir, { dataKey });
    const reactor = (id: string) => ({
      insert: 'reactors' as const,
      record: {
        id,
        tenant_id: TENANT,
        name: id,
        code: '',
        configuration: { id },
        created_at: '2026-11-01T00:00:00.000Z',
      },
    });
    await store.commit([reactor('a'), reactor('b')]);
    await store.close();
    const path = join(dataDir, 'documents.json');
    const content = JSON.parse(await readFile(path, 'utf8'));
    swap(content.reactors[0], content.reactors[1], 'encrypted');
    await writeFile(path, JSON.stringify(content));
    await expect(open(dataDir, { dataKey })).rejects.toMatchObject({
      name: 'DamagedError',
      file: path,
      message: expect.stringContaining('a record of "reactors" is not what was written'),
    });
  });
});
