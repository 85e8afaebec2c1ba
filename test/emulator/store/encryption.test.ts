import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { TokenRecord } from '../../../emulator/store/records.js';
import type { Store } from '../../../emulator/store/store.js';
import { FORMAT } from '../../../emulator/store/store-header.js';
import { withChecksum } from '../../../emulator/store/wal/line-codec.js';
import { filesOf, open, temporaryDataDir, warnings } from '../../support/data-dir.js';
import { PATIENCE } from '../../support/patience.js';
import { insert, OTHER_TENANT, TENANT, token } from './contract.js';

const dataKey = async () => Buffer.alloc(32, 1);
const FIXTURE = fileURLToPath(
  new URL('../../../fixtures/data-directories/format-1-encrypted', import.meta.url),
);

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

  it('when the store header was changed to that of format 1 as well', async () => {
    const dataDir = await directoryWithTokens();
    const path = join(dataDir, 'store.json');
    await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), format: 1 }));
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

describe('encrypted values of format 1, which are not bound to their record', () => {
  const text = async (dataDir: string) =>
    (await Promise.all((await filesOf(dataDir)).map((path) => readFile(path, 'utf8')))).join('\n');

  async function upgraded(): Promise<string> {
    const dataDir = await temporaryDataDir();
    await cp(FIXTURE, dataDir, { recursive: true });
    const store = await open(dataDir, { dataKey });
    await expect.poll(() => text(dataDir), PATIENCE).not.toContain('"sealed"');
    const { key_check: check } = JSON.parse(await readFile(join(FIXTURE, 'store.json'), 'utf8'));
    await expect.poll(() => text(dataDir), PATIENCE).not.toContain(check);
    await store.close();
    return dataDir;
  }

  it('are all rewritten in the background, and the store header says so in both its copies', async () => {
    const dataDir = await upgraded();
    for (const name of ['store.json', 'documents.json']) {
      const content = JSON.parse(await readFile(join(dataDir, name), 'utf8'));
      expect(content.store ?? content).toMatchObject({ format: FORMAT });
    }
    const store = await open(dataDir, { dataKey });
    const { records } = await store.find('tokens', {});
    expect(records.map(({ id, data }) => [id, data])).toContainEqual(['part-1', 'replaced']);
    expect((await store.find('reactors', {})).records[0]?.configuration).toEqual({ mode: 'changed' });
    expect(warnings).toEqual([]);
  });

  it('are refused after that, also one that was written by format 1 for this record', async () => {
    const dataDir = await upgraded();
    const old = (await readFile(join(FIXTURE, 'journal', '00000001.jsonl'), 'utf8'))
      .split('\n')
      .filter((line) => line.includes('"id":"kept"') && line.includes('sealed'))
      .map((line) => JSON.parse(line).record.sealed);
    await changeLines(dataDir, (lines) => {
      const line = lines.find(({ put, id }) => put === 'tokens' && id === 'kept') as Line;
      delete line.record.encrypted;
      Object.assign(line.record, { sealed: old[0] });
    });
    const store = await open(dataDir, { dataKey });
    await expect(store.get('tokens', '5a1c2b9e-3d70-4a52-9a57-6f0f3c1d8e01', 'kept')).rejects.toMatchObject({
      name: 'DamagedError',
    });
  });
});
