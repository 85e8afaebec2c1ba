import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  Fleet,
  freePort,
  hasPostgres,
  newDatabase,
  openOnPostgres,
  serverUser,
} from '../../../support/postgres.js';

const EXECUTABLE = '/usr/sbin/pgbouncer';

const hasPgBouncer = existsSync(EXECUTABLE);

/** Starts PgBouncer before a database until the test ends. Returns the URL of the database by way of it. */
async function startPgBouncer(databaseUrl: string, mode: 'session' | 'transaction'): Promise<string> {
  const url = new URL(databaseUrl);
  const directory = await mkdtemp(join(tmpdir(), 'tokenctl-pgbouncer-'));
  await chmod(directory, 0o755);
  const port = await freePort();
  const users = join(directory, 'users.txt');
  await writeFile(users, `"${url.username}" ""\n`);
  const settings = [
    '[databases]',
    `* = host=127.0.0.1 port=${url.port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${users}`,
    `pool_mode = ${mode}`,
    'default_pool_size = 50',
  ];
  await writeFile(join(directory, 'pgbouncer.ini'), settings.join('\n'));
  const child = spawn(
    'setpriv',
    ['--pdeathsig', 'SIGKILL', '--', EXECUTABLE, '-q', join(directory, 'pgbouncer.ini')],
    { stdio: 'ignore', ...serverUser() },
  );
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await rm(directory, { recursive: true, force: true });
  });
  while (!(await accepts(port))) await delay(20);
  url.port = String(port);
  return url.href;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

describe.skipIf(!hasPostgres || !hasPgBouncer)('behind PgBouncer', () => {
  it('in session mode, emulators work as without it', async () => {
    const fleet = await Fleet.start(await startPgBouncer(await newDatabase(), 'session'), 2);
    onTestFinished(() => fleet.close());
    const { status, body } = await fleet.callOn(0, 'POST', '/tokens', { body: { type: 'token', data: 1 } });
    expect(status).toBe(201);
    expect((await fleet.callOn(1, 'GET', `/tokens/${body.id}`)).body).toMatchObject({ data: 1 });
    expect((await fleet.callOn(1, 'GET', '/tokens')).body.pagination.total_items).toBe(1);
    expect(fleet.errors).toEqual([]);
  });

  it('in transaction mode, a start says what it needs, be it the first one or not', async () => {
    const database = await newDatabase();
    const url = await startPgBouncer(database, 'transaction');
    const refused = {
      name: 'StartError',
      code: 'store_pooler',
      message: expect.stringContaining('needs sessions'),
    };
    await expect(openOnPostgres(url)).rejects.toMatchObject(refused);
    const direct = await openOnPostgres(database);
    onTestFinished(() => direct.close());
    await expect(openOnPostgres(url)).rejects.toMatchObject(refused);
  });
});
