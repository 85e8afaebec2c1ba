import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deriveIdempotencyKey } from '../../../src/cli/bulk/import-rows.js';
import { projectDir, tokenctl } from '../../support/executable.js';
import { startStub } from '../../support/http-server.js';
import { type TestTarget, useSharedEmulator } from '../../support/shared-emulator.js';

const emulator = useSharedEmulator();

const ROWS = 100;

/** Rows of one batch; `change` replaces properties of some of them. */
const batch = (change: (index: number) => object | undefined, count = ROWS): string =>
  Array.from({ length: count }, (_, index) => ({ type: 'token', data: `value ${index}`, ...change(index) }))
    .map((row) => `${JSON.stringify(row)}\n`)
    .join('');

/** Imports rows. @returns the report, the uploads as `path status`, and the rejected rows with their reasons. */
async function importRows(rows: string, { env }: Pick<TestTarget, 'env'>) {
  const cwd = await projectDir({ 'rows.ndjson': rows });
  const args = ['token', 'import', 'rows.ndjson', '--rejects', 'rejects.ndjson', '--debug'];
  const { stdout, stderr } = await tokenctl(args, { cwd, env });
  const rejects = (await readFile(join(cwd, 'rejects.ndjson'), 'utf8')).split('\n').filter(Boolean);
  return {
    report: JSON.parse(stdout) as { imported: number; rejected: number },
    uploads: [...stderr.matchAll(/POST \S+?(\/token\w+ \d+)/g)].map(([, upload]) => upload),
    rejects: rejects.map((line) => JSON.parse(line)).map(({ _row, _reason }) => [_row, _reason]),
  };
}

test('a row that only the service refuses costs its batch two requests more', async () => {
  const { report, uploads, rejects } = await importRows(
    batch((index) => (index === 36 ? { mask: '{{ data | unknown_filter }}' } : undefined)),
    await emulator.tenant(),
  );
  expect(report).toMatchObject({ imported: 99, rejected: 1 });
  expect(uploads).toEqual(['/tokenize 400', '/tokens 400', '/tokenize 200']);
  expect(rejects).toEqual([[37, expect.stringMatching(/^mask: .*unknown_filter/)]]);
});

test('a row that the contract does not allow is not sent with the others', async () => {
  const { report, uploads, rejects } = await importRows(
    batch((index) => (index === 36 ? { type: 'card', data: { number: '4242424242424241' } } : undefined)),
    await emulator.tenant(),
  );
  expect(report).toMatchObject({ imported: 99, rejected: 1 });
  expect(uploads).toEqual(['/tokenize 200', '/tokens 400']);
  expect(rejects).toEqual([[37, 'data.number: fails the check digit (Luhn); a digit is mistyped']]);
});

test('a batch without a valid row is one request', async () => {
  const { report, uploads, rejects } = await importRows(
    batch(() => ({ type: 'nothing' })),
    await emulator.tenant(),
  );
  expect(report).toMatchObject({ imported: 0, rejected: ROWS });
  expect(uploads).toEqual(['/tokenize 400']);
  expect(rejects[99]).toEqual([100, expect.stringMatching(/^type: must be one of token, card/)]);
});

test('of two rows with the same id the first is imported', async () => {
  const target = await emulator.project();
  const { rejects } = await importRows(
    batch((index) => (index === 3 || index === 9 ? { id: 'same-id' } : undefined), 20),
    target,
  );
  expect(rejects).toEqual([[10, 'A token with this id already exists.']]);
  const got = await target.run('token get same-id --reveal --json data');
  expect(got.json).toEqual({ data: 'value 3' });
});

test('rows that only together exceed a limit of the service are imported', async () => {
  const { report } = await importRows(
    batch(() => ({ data: 'x'.repeat(100_000), mask: '{{ data }}'.repeat(20) }), 12),
    await emulator.tenant(),
  );
  expect(report).toMatchObject({ imported: 12, rejected: 0 });
});

test('the service decides about a row that the contract does not allow', async () => {
  const stub = await startStub({ status: 404 }, { status: 201, body: { id: 'token-1', type: 'passport' } });
  const { report } = await importRows(
    batch(() => ({ type: 'passport' }), 1),
    { env: { TOKENCTL_BASE_URL: stub.url, TOKENCTL_API_KEY: 'key' } },
  );
  expect(report).toMatchObject({ imported: 1, rejected: 0 });
  expect(JSON.parse(stub.requests.at(-1)?.body ?? '')).toMatchObject({ type: 'passport' });
});

const key = (...numbers: number[]) =>
  deriveIdempotencyKey(
    'import',
    numbers.map((number) => ({ number })),
  );

test('deriveIdempotencyKey differs for rows of the same range with different gaps', () => {
  expect(new Set([key(1, 2, 3, 4), key(1, 2, 4), key(1, 3, 4), key(1, 4), key(1), key(4)]).size).toBe(6);
});
