import { execFileSync } from 'node:child_process';
import { lstat, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  EXECUTABLE,
  projectDir,
  runProgram,
  startTokenctl,
  tokenctl,
  words,
} from '../../support/executable.js';
import { startForwarder } from '../../support/forwarder.js';
import { type TestTarget, useSharedEmulator } from '../../support/shared-emulator.js';
import { allTokens } from '../../support/tokens.js';
import { width } from '../../support/width.js';

const emulator = useSharedEmulator();

const ndjson = (count: number, row: (index: number) => object): string =>
  Array.from({ length: count }, (_, index) => `${JSON.stringify(row(index))}\n`).join('');

const numbered = (n: number) => ({ type: 'token', data: `value ${n}`, metadata: { n: String(n) } });

/** The `n` of every token of the tenant, sorted. */
async function stored(target: TestTarget): Promise<number[]> {
  const tokens = await allTokens(target);
  return tokens.map(({ metadata }) => Number(metadata.n)).sort((one, other) => one - other);
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test('rejected rows go to a file with the reason; the corrected file can be imported', async () => {
  const target = await emulator.tenant();
  const rows = ndjson(250, (index) =>
    index % 50 === 7 ? { ...numbered(index), type: 'nothing' } : numbered(index),
  );
  const cwd = await projectDir({ 'rows.ndjson': `${rows}not json\n` });
  const ran = await tokenctl('token import rows.ndjson --rejects bad.ndjson', { cwd, env: target.env });
  expect(ran).toMatchObject({ code: 1, json: { rows: 251, imported: 245, rejected: 6 } });
  expect(JSON.parse(ran.stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
    error: { category: 'failed', detail: '6 of 251 rows were rejected.' },
  });
  const rejects = (await readFile(join(cwd, 'bad.ndjson'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(rejects.map(({ _row }) => _row)).toEqual([8, 58, 108, 158, 208, 251]);
  expect(rejects[0]._reason).toMatch(/^type: must be one of token, card/);
  expect((await stat(join(cwd, 'bad.ndjson'))).mode & 0o777).toBe(0o600);

  const corrected = rejects.slice(0, 5).map((row) => `${JSON.stringify({ ...row, type: 'token' })}\n`);
  await writeFile(join(cwd, 'bad.ndjson'), corrected.join(''));
  expect((await tokenctl('token import bad.ndjson', { cwd, env: target.env })).code).toBe(0);
  expect(await stored(target)).toEqual(upTo(250));
});

test('a key that may not create tokens ends it at once', async () => {
  const { run, keys } = await emulator.project({ 'rows.ndjson': ndjson(500, numbered) });
  const ran = await run('token import rows.ndjson', { env: { TOKENCTL_PRIVATE_KEY: keys.management } });
  expect(ran.code).toBe(4);
});

test('--rejects cannot overwrite the source or the checkpoint', async () => {
  const rows = '{"type":"nope"}\n';
  const { run, cwd } = await emulator.project({ 'a.ndjson': rows });
  await symlink('a.ndjson', join(cwd, 'link'));
  for (const rejects of ['a.ndjson', './a.ndjson', 'link', 'c.json']) {
    const args = ['token', 'import', 'a.ndjson', '--rejects', rejects, '--checkpoint', 'c.json'];
    expect(await run(args)).toMatchObject({ code: 2, stderr: expect.stringContaining('--rejects ') });
  }
  expect(await readFile(join(cwd, 'a.ndjson'), 'utf8')).toBe(rows);
});

test('an import goes on when its rejects file was removed', async () => {
  const target = await emulator.project({
    'a.ndjson': `{"type":"nope"}\n${ndjson(9, numbered)}{"type":"none"}\n`,
  });
  const args = ['token', 'import', 'a.ndjson', '--rejects', 'r', '--checkpoint', 'c.json', '--batch', '2'];
  let gone = true;
  const { url } = await startForwarder(emulator.url, (count) => (gone && count > 2 ? 'reset' : undefined));
  const options = { cwd: target.cwd, env: { ...target.env, TOKENCTL_BASE_URL: url } };
  expect((await tokenctl([...args, '--concurrency', '1'], options)).code).toBe(7);
  expect(JSON.parse(await readFile(join(target.cwd, 'c.json'), 'utf8')).rejects_bytes).toBeGreaterThan(0);
  await rm(join(target.cwd, 'r'));
  gone = false;
  const ran = await tokenctl(args, options);
  expect(ran.json).toMatchObject({ rows: 11, imported: 9, rejected: 2, resumed_after: expect.any(Number) });
  expect(JSON.parse(await readFile(join(target.cwd, 'r'), 'utf8'))._row).toBe(11);
  expect(await stored(target)).toEqual(upTo(9));
});

test('an error before the first request leaves no checkpoint and does not speak of resuming', async () => {
  const { run, cwd } = await emulator.project({
    'a.csv': 'type,dta\ntoken,1\n',
    'b.csv': 'type,data\ntoken,1\n',
  });
  for (const args of [['a.csv'], ['b.csv', '--rejects', 'missing/rejects.csv']]) {
    const ran = await run(['token', 'import', ...args]);
    expect(ran.code).toBeGreaterThan(0);
    expect(ran.stderr).not.toContain('resume');
  }
  expect((await readdir(cwd)).filter((name) => name.endsWith('.checkpoint'))).toEqual([]);
});

test.skipIf(process.platform !== 'linux').each([
  ['--checkpoint', '.', 'it is a directory'],
  ['--rejects', '/dev/full', 'the disk is full'],
])('token import: %s %s is an error that names the file', async (flag, path, problem) => {
  const { run } = await emulator.project({ 'a.ndjson': '{}\n' });
  expect(await run(['token', 'import', 'a.ndjson', flag, path, '-o', 'table'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(new RegExp(`${path}: ${problem}`)),
  });
});

test('the completed checkpoint of a pipe is refused: its rows may be others', async () => {
  const target = await emulator.project();
  const { env } = target;
  const args = words('token import - --format csv --type token --checkpoint c.json');
  const stdin = 'data,metadata.n\nx,0\n';
  expect((await tokenctl(args, { cwd: target.cwd, env, stdin })).code).toBe(0);
  expect(await tokenctl(args, { cwd: target.cwd, env, stdin: `${stdin}y,1\n` })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('from a pipe that is complete'),
  });
  expect(await stored(target)).toEqual(upTo(1));
});

test.skipIf(process.platform === 'win32')('a file on standard input is recognized', async () => {
  const target = await emulator.project({
    'a.ndjson': ndjson(2, numbered),
    'b.ndjson': ndjson(3, numbered),
  });
  const from = (file: string) => {
    const command = `"$0" "$1" token import - --checkpoint c.json < ${file}`;
    return runProgram('sh', ['-c', command, process.execPath, EXECUTABLE], {
      cwd: target.cwd,
      env: target.env,
    });
  };
  expect([(await from('a.ndjson')).code, (await from('a.ndjson')).code]).toEqual([0, 0]);
  expect(await from('b.ndjson')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('belongs to another file'),
  });
  expect(await stored(target)).toEqual(upTo(2));
});

test('a second import with the checkpoint of a running one is refused', async () => {
  const target = await emulator.project({ 'a.ndjson': ndjson(10, numbered) });
  const args = ['token', 'import', 'a.ndjson', '--checkpoint', 'c.json', '-o', 'table'];
  let requests = 0;
  let release = () => {};
  const released = new Promise<undefined>((resolve) => {
    release = () => resolve(undefined);
  });
  const { url } = await startForwarder(emulator.url, (count) => {
    requests = count;
    return count > 1 ? released : undefined;
  });
  const first = target.run(args, { env: { TOKENCTL_BASE_URL: url } });
  await expect.poll(() => requests).toBeGreaterThan(1);
  const second = await target.run(args);
  release();
  expect(second).toMatchObject({ code: 1, stderr: expect.stringMatching(/Another import .*c\.json/) });
  expect((await first).code).toBe(0);
  expect(await stored(target)).toEqual(upTo(10));
  expect((await readdir(target.cwd)).sort()).toEqual(['a.ndjson', 'c.json']);
});

test('a complete import is not repeated, except into another tenant', async () => {
  const first = await emulator.tenant();
  const second = await emulator.tenant();
  const cwd = await projectDir({ 'a.ndjson': ndjson(10, numbered) });
  for (const { env } of [first, first, second]) {
    const ran = await tokenctl('token import a.ndjson', { cwd, env });
    expect(ran.json).toMatchObject({ rows: 10, imported: 10 });
  }
  expect(await stored(first)).toEqual(upTo(10));
  expect(await stored(second)).toEqual(upTo(10));
});

test('an import whose tokens the service lost begins again, complete or not; other losses are no reason', async () => {
  const target = await emulator.project({ 'a.ndjson': ndjson(40, numbered) });
  const lose = async (kept: number) => {
    const ids = (await allTokens(target)).slice(kept).map(({ id }) => id);
    expect((await target.run(['token', 'delete', ...ids, '--yes'])).code).toBe(0);
  };
  let gone = true;
  const { url } = await startForwarder(emulator.url, (count) => (gone && count > 2 ? 'reset' : undefined));
  const args = ['token', 'import', 'a.ndjson', '--batch', '20', '--concurrency', '1', '-o', 'table'];
  const again = () => target.run(args, { env: { TOKENCTL_BASE_URL: url } });
  expect((await again()).stderr).toContain('Stopped after row 20 of 40.');
  await lose(0);
  gone = false;
  const lost = 'The service no longer has what was imported. Importing again from row 1.';
  expect((await again()).stderr).toContain(lost);
  expect(await stored(target)).toEqual(upTo(40));
  await lose(0);
  expect((await again()).stderr).toContain(lost);
  expect(await stored(target)).toEqual(upTo(40));
  await lose(39);
  expect((await again()).stderr).toContain('Already imported.');
});

// Fault: import | killed at any moment | memory
const ROWS = width(1_500, 6_000);

/** Kills it some time after it has begun to send, which its checkpoint tells. */
async function kill(
  args: string[],
  cwd: string,
  env: Record<string, string>,
  afterMs: number,
): Promise<boolean> {
  const checkpoint = join(cwd, 'c.json');
  const before = await readFile(checkpoint, 'utf8').catch(() => '');
  const { child, end } = startTokenctl(args, { cwd, env });
  const isRunning = () => child.exitCode === null;
  while (isRunning() && (await readFile(checkpoint, 'utf8').catch(() => '')) === before) await sleep(2);
  await sleep(afterMs);
  const killed = isRunning();
  await end('SIGKILL');
  return killed;
}

test.each([
  ['ids of the importer', numbered],
  ['its ids', (index: number) => ({ ...numbered(index), id: `row-${crypto.randomUUID()}-${index}` })],
])('a killed import that is started again stores each row exactly once: %s', async (_name, row) => {
  const target = await emulator.tenant();
  const isRefused = (index: number) => index % 997 >= 5 && index % 997 <= 7;
  const rows = ndjson(ROWS, (index) => {
    if (!isRefused(index)) return row(index);
    // Refused by the importer, by the contract, and by the service alone.
    const { data, ...rest } = { ...numbered(index), mask: '{{ data | unknown_filter }}' };
    return [rest, { ...numbered(index), type: 'nothing' }, { ...rest, data }][(index % 997) - 5] ?? {};
  });
  const cwd = await projectDir({ 'rows.ndjson': rows });
  const options = ['--rejects', 'bad.ndjson', '--checkpoint', 'c.json', '--concurrency', '4'];
  const args = ['token', 'import', 'rows.ndjson', ...options];
  let kills = 0;
  for (let attempt = 0; attempt < 6 && (await kill(args, cwd, target.env, attempt * 6)); attempt++) kills++;
  expect(kills).toBeGreaterThan(0);
  const ran = await tokenctl(args, { cwd, env: target.env });
  const rejects = (await readFile(join(cwd, 'bad.ndjson'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line)._row);
  const refused = upTo(ROWS).filter(isRefused);
  expect(rejects).toEqual(refused.map((index) => index + 1));
  expect(await stored(target)).toEqual(upTo(ROWS).filter((index) => !refused.includes(index)));
  expect(ran.code).toBe(1);
});

// Fault: import | service limits, fails, stops | memory
describe('an import into a service that limits and fails', () => {
  const stubbed = (answer: Parameters<typeof startForwarder>[1]) => startForwarder(emulator.url, answer);

  test('slows down after a 429, repeats what broke under the same key, and loses nothing', async () => {
    const target = await emulator.project({ 'rows.ndjson': ndjson(400, numbered) });
    const { url } = await stubbed((count) =>
      count % 4 === 2
        ? { status: 429, headers: { 'retry-after': '0' } }
        : ({ 3: 'reset', 5: { status: 503 } } as const)[count],
    );
    expect(
      await target.run('token import rows.ndjson --batch 20', { env: { TOKENCTL_BASE_URL: url } }),
    ).toMatchObject({ code: 0, json: { imported: 400 } });
    expect(await stored(target)).toEqual(upTo(400));
  });
});

test.each(['ndjson', 'csv'])('what export --reveal writes as %s is imported the same', async (format) => {
  const from = await emulator.tenant();
  const cwd = await projectDir({
    'rows.ndjson': [
      {
        id: 'a-card',
        type: 'card',
        data: { number: '4242424242424242', expiration_month: 4, expiration_year: 2031, cvc: '007' },
      },
      { id: 'a-bank', type: 'bank', data: { routing_number: '021000021', account_number: '000123' } },
      { id: 'digits', type: 'token', data: '00123', metadata: { note: 'a, "b"\nc' } },
      { id: 'num', type: 'token', data: 123, mask: '{{ data | last4 }}', search_indexes: ['{{ data }}'] },
      { id: 'structure', type: 'token', data: { list: [1, 'two', null] }, containers: ['/x/', '/y/'] },
      { id: 'routing', type: 'us_bank_routing_number', data: '021000021' },
    ]
      .map((row) => `${JSON.stringify(row)}\n`)
      .join(''),
  });
  expect((await tokenctl('token import rows.ndjson', { cwd, env: from.env })).code).toBe(0);
  const file = `out.${format}`;
  expect((await tokenctl(`token export --reveal --out ${file}`, { cwd, env: from.env })).code).toBe(0);
  const to = await emulator.tenant();
  expect(await tokenctl(`token import ${file} --quiet`, { cwd, env: to.env })).toMatchObject({
    code: 0,
    stderr: '',
  });
  const fields = 'id,type,data,mask,metadata,containers,search_indexes';
  const list = async ({ env }: TestTarget) => {
    const { stdout } = await tokenctl(['token', 'list', '--all', '--reveal', '--json', fields], {
      cwd,
      env,
    });
    return (JSON.parse(stdout) as { data: { id: string }[] }).data.sort((one, other) =>
      one.id.localeCompare(other.id),
    );
  };
  expect(await list(to)).toEqual(await list(from));
  expect(await list(to)).toHaveLength(6);
});

test.skipIf(process.platform === 'win32')('--out into a pipe or a link leaves it one', async () => {
  const { run, cwd } = await emulator.project({
    'rows.ndjson': '{"id":"one","type":"token","data":1}\n',
    'kept.ndjson': '',
  });
  await run('token import rows.ndjson');
  const pipe = join(cwd, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const [read, ran] = await Promise.all([readFile(pipe, 'utf8'), run('token export --out pipe')]);
  expect([ran.code, JSON.parse(read)]).toMatchObject([0, { id: 'one' }]);
  expect((await lstat(pipe)).isFIFO()).toBe(true);
  const link = join(cwd, 'link.ndjson');
  await symlink('kept.ndjson', link);
  expect((await run('token export --out link.ndjson')).code).toBe(0);
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect(JSON.parse(await readFile(join(cwd, 'kept.ndjson'), 'utf8'))).toMatchObject({ id: 'one' });
});
