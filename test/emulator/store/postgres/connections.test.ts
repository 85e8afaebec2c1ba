import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest';
import { scratchDir, words } from '../../../support/executable.js';
import {
  Fleet,
  freePort,
  hasPostgres,
  newDatabase,
  openOnPostgres,
  PostgresServer,
  type ServerCertificate,
  serverUser,
  useOnPostgres,
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
    const fleet = await Fleet.use(await startPgBouncer(await newDatabase(), 'session'), 2);
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
    await useOnPostgres(database);
    await expect(openOnPostgres(url)).rejects.toMatchObject(refused);
  });
});

describe.skipIf(!hasPostgres)('a connection with TLS', () => {
  const folder = scratchDir();
  let server: PostgresServer;
  let url: string;

  function makeCertificate(name: string): void {
    const file = (ending: string) => join(folder, `${name}.${ending}`);
    const request = words('req -x509 -days 2 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes');
    const subject = words('-subj /CN=localhost -addext subjectAltName=DNS:localhost');
    const files = ['-keyout', file('key'), '-out', file('crt')];
    execFileSync('openssl', [...request, ...subject, ...files], { stdio: 'ignore' });
  }

  function readCertificate(name: string): ServerCertificate {
    const read = (ending: string) => readFileSync(join(folder, `${name}.${ending}`), 'utf8');
    return { certificate: read('crt'), key: read('key') };
  }

  const onLocalhost = (database: string) => database.replace('127.0.0.1', 'localhost');
  const rootCertificate = (name: string) => `sslrootcert=${encodeURIComponent(join(folder, `${name}.crt`))}`;

  beforeAll(async () => {
    for (const name of ['server', 'other', 'unknown']) makeCertificate(name);
    server = await PostgresServer.start({ tls: readCertificate('server') });
    url = onLocalhost(await server.createDatabase());
  });
  afterAll(() => server?.stop());

  test.each(['prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'])(
    'works with sslmode=%s and sslrootcert',
    async (mode) => {
      const store = await openOnPostgres(`${url}?sslmode=${mode}&${rootCertificate('server')}`);
      await store.commit([{ insert: 'settings', record: { id: mode, value: 1 } }]);
      const rows = await server.query<{ ssl: boolean }>(
        "SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'tokenctl'",
      );
      await store.close();
      expect(rows).toEqual([{ ssl: true }]);
    },
  );

  test.each([
    ['another one', () => `sslmode=verify-full&${rootCertificate('other')}`, 'certificate of localhost:'],
    ['no authority', () => 'sslmode=verify-full', 'certificate of localhost:'],
    ['no authority and sslmode=require', () => 'sslmode=require', 'certificate of localhost:'],
    ['a file that does not exist', () => `sslmode=verify-full&${rootCertificate('missing')}`, 'missing.crt'],
  ])('is refused with %s', async (_, parameters, message) => {
    await expect(openOnPostgres(`${url}?${parameters()}`)).rejects.toMatchObject({
      code: 'store_tls',
      message: expect.stringContaining(message),
    });
  });

  test('answers 503 while the server shows a certificate that is not accepted, and works again after it', async () => {
    const database = onLocalhost(await server.createDatabase());
    const fleet = await Fleet.use(`${database}?sslmode=verify-full&${rootCertificate('server')}`, 1);
    onTestFinished(() => server.replaceCertificate(readCertificate('server')));
    const create = () => fleet.call('POST', '/tokens', { body: { type: 'token', data: 1 } });
    expect((await create()).status).toBe(201);
    await server.replaceCertificate(readCertificate('unknown'));
    for (const answer of [await create(), await create(), await fleet.call('GET', '/tokens')]) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    }
    await server.replaceCertificate(readCertificate('server'));
    expect((await create()).status).toBe(201);
    expect((await fleet.call('GET', '/tokens')).body.pagination.total_items).toBe(2);
  });

  test('is refused when the certificate is for another host', async () => {
    // It is for localhost.
    const database = await server.createDatabase();
    const opened = openOnPostgres(`${database}?sslmode=verify-full&${rootCertificate('server')}`);
    await expect(opened).rejects.toMatchObject({
      code: 'store_tls',
      message: expect.stringMatching(/^The certificate of .+ is for another name\.$/),
    });
  });
});
