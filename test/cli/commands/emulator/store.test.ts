import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { scratchDir, startEmulatorProcess, tokenctl } from '../../../support/executable.js';
import { hasPostgres, newDatabase, PASSWORD_USER, sharedPostgres } from '../../../support/postgres.js';

const DATA_KEY = Buffer.alloc(32, 7).toString('base64');
const PASSWORD = 'correct horse';

const cwd = scratchDir();
let url: string;
const env: Record<string, string> = { TOKENCTL_DATA_KEY: DATA_KEY, PGPASSWORD: PASSWORD };

beforeAll(async () => {
  if (!hasPostgres) return;
  const server = await sharedPostgres();
  url = await server.createDatabase(PASSWORD_USER, PASSWORD);
});

/** Runs an emulator on the database while a task runs. */
async function withEmulator(task: () => Promise<void>, store = url): Promise<void> {
  const { end } = await startEmulatorProcess('', { cwd, env: { ...env, TOKENCTL_STORE: store } });
  try {
    await task();
  } finally {
    await end('SIGTERM');
  }
}

const start = (store: string, more: Record<string, string> = {}, ...flags: string[]) =>
  tokenctl(['emulator', 'start', '--port', '0', '--store', store, ...flags], {
    cwd,
    env: { ...env, ...more },
  });

test.each([
  ['a password in the URL', 'postgres://u:secret@h/d', 2, 'must not contain a password'],
  ['a password in a parameter', 'postgres://u@h/d?password=secret', 2, 'must not contain a password'],
  ['another kind of URL', 'https://example.com', 2, 'must be a URL such as postgres://'],
  [
    'an unknown sslmode',
    'postgres://u@h/d?sslmode=allow',
    2,
    'sslmode in the URL of the store must be one of',
  ],
  ['no server', 'postgres://u@127.0.0.1:1/d', 7, 'cannot be opened. Nothing listens on 127.0.0.1:1'],
  ['a host parameter', 'postgres://u@h:1/d?host=127.0.0.1', 7, 'The database 127.0.0.1/d cannot be opened'],
])('emulator start --store explains what is wrong: %s', async (_, store, code, message) => {
  const ran = await start(store);
  expect(ran.code, ran.stderr).toBe(code);
  expect(ran.stderr).toContain(message);
  expect(ran.stderr).not.toContain('secret');
});

test('emulator start --store explains what is wrong: flags that exclude each other', async () => {
  expect((await start('postgres://u@h/d', {}, '--memory')).stderr).toContain('cannot be used together');
  expect((await start('postgres://u@h/d', {}, '--durability', 'os')).stderr).toContain('--durability');
});

test.skipIf(!hasPostgres).each([
  ['no password', { PGPASSWORD: '' }, 'refused the user or password'],
  ['a wrong password', { PGPASSWORD: 'wrong' }, 'refused the user or password'],
  ['no data key', { TOKENCTL_DATA_KEY: '' }, 'always encrypted'],
])('emulator start --store explains what is wrong: %s (PostgreSQL)', async (_, more, message) => {
  expect(await start(url, more)).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
});

test.skipIf(!hasPostgres)('emulator start --store: a database that does not exist (PostgreSQL)', async () => {
  expect((await start(`${url}x`)).stderr).toContain('does not exist');
});

describe.skipIf(!hasPostgres)('a store on a PostgreSQL server', () => {
  const migrate = (...flags: string[]) =>
    tokenctl(['emulator', 'migrate', '--store', url, '--jq', '.data | length', ...flags], { cwd, env });

  test('emulator migrate changes the schema once, and not with --dry-run', async () => {
    const counts: string[] = [];
    for (const flags of [['--dry-run'], [], []]) counts.push((await migrate(...flags)).stdout.trim());
    expect(counts.map((count) => Number(count) > 0)).toEqual([true, true, false]);
  });

  test('needs the key that it was created with', async () => {
    await withEmulator(async () => {});
    const ran = await start(url, { TOKENCTL_DATA_KEY: Buffer.alloc(32, 8).toString('base64') });
    expect(ran.stderr).toContain('encrypted with another key');
  });
});

describe.skipIf(!hasPostgres)('emulator start --store on a database with limits', () => {
  /** Creates a migrated database, and a user of it. Returns the URL of the user. */
  async function limitedUser(name: string, ...statements: string[]): Promise<string> {
    const server = await sharedPostgres();
    const owner = await server.createDatabase();
    await tokenctl(['emulator', 'migrate', '--store', owner], { cwd });
    await server.query(`CREATE ROLE ${name} LOGIN; GRANT USAGE ON SCHEMA tokenctl TO ${name}`, owner);
    for (const statement of statements) await server.query(statement, owner);
    return owner.replace(/\/\/\w+@/, `//${name}@`);
  }

  test('names the right that a user lacks, and what to grant', async () => {
    const store = await limitedUser('reader', 'GRANT SELECT ON ALL TABLES IN SCHEMA tokenctl TO reader');
    const { code, stderr } = await start(store);
    expect(code, stderr).toBe(1);
    expect(stderr).toContain('lacks a right on the database');
    expect(stderr).toContain('permission denied for table store');
    expect(stderr).toContain('SELECT, INSERT, UPDATE and DELETE');
  });

  test('says that a server is read-only', async () => {
    const store = await limitedUser(
      'standby',
      'GRANT ALL ON ALL TABLES IN SCHEMA tokenctl TO standby',
      'ALTER ROLE standby SET default_transaction_read_only = on',
    );
    expect(await start(store)).toMatchObject({ code: 1, stderr: expect.stringContaining('is read-only') });
  });

  test('says that a server has no TLS, without a notice of the driver', async () => {
    const store = await newDatabase();
    const { code, stderr } = await start(`${store}?sslmode=require`);
    expect(code, stderr).toBe(1);
    expect(JSON.parse(stderr).error).toMatchObject({
      detail: expect.stringContaining('does not accept TLS'),
      hint: expect.stringContaining('Enable TLS on the server'),
    });
  });

  test('reads a password file without a notice of the driver', async () => {
    await writeFile(join(cwd, 'passwords'), `*:*:*:${PASSWORD_USER}:${PASSWORD}\n`, { mode: 0o600 });
    const env = { PGPASSFILE: join(cwd, 'passwords') };
    expect(await tokenctl(`emulator migrate --store ${url}`, { cwd, env })).toMatchObject({
      code: 0,
      stderr: '',
    });
  });

  test('moving names the right to remove what was moved', async () => {
    const store = await limitedUser(
      'mover',
      'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA tokenctl TO mover',
    );
    await withEmulator(async () => {}, store);
    const flags = ['--from', store, '--data-dir', './moved'];
    expect(await tokenctl(['emulator', 'move', ...flags], { cwd, env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('needs TRUNCATE too'),
    });
  });
});

const move = (...flags: string[]) => tokenctl(['emulator', 'move', ...flags], { cwd, env });

test.each([
  ['neither --to nor --from', []],
  ['both', ['--to', 'postgres://u@h/d', '--from', 'postgres://u@h/d']],
])('emulator move: %s is a usage error', async (_, flags) => {
  expect(await move(...flags)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--to or --from'),
  });
});

test('emulator move needs the key of the database', async () => {
  expect(await tokenctl('emulator move --to postgres://u@h/d', { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('TOKENCTL_DATA_KEY'),
  });
});

test.skipIf(!hasPostgres)('emulator move reports what was moved, and what to do when it cannot', async () => {
  const target = await newDatabase();
  expect(await move('--data-dir', './missing', '--to', target)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no data in'),
  });
  await tokenctl('emulator exec --data-dir ./one -- true', { cwd });
  const moved = await move('--data-dir', './one', '--to', target);
  expect(moved.code, moved.stderr).toBe(0);
  expect(moved.json.data).toContainEqual({ kind: 'applications', count: 3 });
  expect(moved.stderr).toContain('compared record by record');
  const started = await tokenctl('emulator start --data-dir ./one --port 0', { cwd });
  expect(started).toMatchObject({ code: 1, stderr: expect.stringContaining(`was moved to ${target}.`) });
  expect(started.stderr).toContain('tokenctl emulator start --store');
  await tokenctl('emulator exec --data-dir ./two -- true', { cwd });
  expect(await move('--data-dir', './two', '--to', target)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Choose an empty one'),
  });
});

test.skipIf(!hasPostgres)('emulator move names the whole command to start on the database', async () => {
  const target = await newDatabase();
  await tokenctl('emulator exec --data-dir ./three -- true', { cwd });
  const flags = ['--data-dir', './three', '--to', target, '--encrypt', 'database.key'];
  expect(await tokenctl(['emulator', 'move', ...flags], { cwd })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`tokenctl emulator start --store ${target} --encrypt database.key\n`),
  });
});
