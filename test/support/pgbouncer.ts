import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { freePort, serverUser } from './postgres.js';

const EXECUTABLE = '/usr/sbin/pgbouncer';

export const hasPgBouncer = existsSync(EXECUTABLE);

/** Starts PgBouncer before a database until the test ends. Returns the URL of the database by way of it. */
export async function startPgBouncer(databaseUrl: string, mode: 'session' | 'transaction'): Promise<string> {
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
