import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatLine, type Line as JournalLine } from '../../../emulator/store/journal/line.js';
import type { TokenRecord } from '../../../emulator/store/records.js';
import { closedDirectory, filesOf, open, temporaryDataDir } from '../../support/data-dir.js';
import { insert, OTHER_TENANT, TENANT, token } from './contract.js';

const dataKey = async () => Buffer.alloc(32, 1);
type Line = { put?: string; record: TokenRecord & { encrypted?: string } };

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
    await writeFile(path, Buffer.concat(lines.map((line: JournalLine) => formatLine(line))));
    return path;
  }
  throw new Error('no segment holds an encrypted value');
}

function swap<T extends object, K extends keyof T>(a: T | undefined, b: T | undefined, key: K): void {
  if (a === undefined || b === undefined) throw new Error('nothing to swap');
  [a[key], b[key]] = [b[key], a[key]];
}

const lineOf = (lines: Line[], id: string) => lines.find(({ record }) => record?.id === id) as Line;

const directoryWithTokens = (): Promise<string> =>
  closedDirectory([token('a'), token('b'), token('c', 0, { tenant_id: OTHER_TENANT })], { dataKey });

describe('an encrypted value of another record is refused by the start with file and line', () => {
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
  ];

  it.each(WAYS)('when %s', async (_, change) => {
    const dataDir = await directoryWithTokens();
    const file = await changeLines(dataDir, change);
    await expect(open(dataDir, { dataKey })).rejects.toMatchObject({
      name: 'DamagedError',
      file,
      line: expect.toSatisfy((line) => line === 3 || line === 5),
      message: expect.stringContaining('Restore it from a backup'),
    });
  });

  it('when a record is moved to another tenant', async () => {
    const dataDir = await directoryWithTokens();
    await changeLines(dataDir, (lines) => {
      lineOf(lines, 'c').record.tenant_id = TENANT;
    });
    await expect(open(dataDir, { dataKey })).rejects.toMatchObject({ name: 'DamagedError', line: 7 });
  });

  it('when it comes from a record with the same id in another collection', async () => {
    const dataDir = await temporaryDataDir();
    const store = await open(dataDir, { dataKey });
    await insert(store, token('a'));
    const created_at = '2026-11-01T00:00:00.000Z';
    const response = { id: 'a', tenant_id: TENANT, status: 200, body: 'x', token_ids: [], created_at };
    await store.commit([{ insert: 'idempotency', record: { ...response, expires_at: created_at } }]);
    await store.close();
    await changeLines(dataDir, (lines) => {
      const [a, b] = lines.filter(({ record }) => record);
      swap(a?.record, b?.record, 'encrypted');
    });
    await expect(open(dataDir, { dataKey })).rejects.toMatchObject({ name: 'DamagedError' });
  });

  it('when a value is replaced by plain text', async () => {
    const dataDir = await directoryWithTokens();
    const file = await changeLines(dataDir, (lines) => {
      const { record } = lineOf(lines, 'a');
      delete record.encrypted;
      record.data = 'planted';
    });
    await expect(open(dataDir, { dataKey })).rejects.toMatchObject({ name: 'DamagedError', file });
  });
});
