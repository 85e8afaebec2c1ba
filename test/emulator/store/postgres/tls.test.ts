import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { scratchDir } from '../../../support/executable.js';
import {
  Fleet,
  hasPostgres,
  openOnPostgres,
  PostgresServer,
  type ServerCertificate,
} from '../../../support/postgres.js';

describe.skipIf(!hasPostgres)('a connection with TLS', () => {
  const folder = scratchDir();
  let server: PostgresServer;
  let url: string;

  /** Makes a self-signed certificate. */
  function makeCertificate(name: string, host: string): void {
    const file = (ending: string) => join(folder, `${name}.${ending}`);
    const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
    const key = [
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-keyout',
      file('key'),
    ];
    execFileSync('openssl', ['req', '-x509', '-days', '2', ...key, '-out', file('crt'), ...subject], {
      stdio: 'ignore',
    });
  }

  function readCertificate(name: string): ServerCertificate {
    const read = (ending: string) => readFileSync(join(folder, `${name}.${ending}`), 'utf8');
    return { certificate: read('crt'), key: read('key') };
  }

  async function startServer(name: string, host: string): Promise<PostgresServer> {
    makeCertificate(name, host);
    return PostgresServer.start({ tls: readCertificate(name) });
  }

  const onLocalhost = (database: string) => database.replace('127.0.0.1', 'localhost');
  const rootCertificate = (name: string) => `sslrootcert=${encodeURIComponent(join(folder, `${name}.crt`))}`;

  beforeAll(async () => {
    server = await startServer('server', 'localhost');
    makeCertificate('other', 'localhost');
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
    ['another one', () => `sslmode=verify-full&${rootCertificate('other')}`, 'certificate of the database'],
    ['no authority', () => 'sslmode=verify-full', 'certificate of the database'],
    ['no authority and sslmode=require', () => 'sslmode=require', 'certificate of the database'],
    ['a file that does not exist', () => `sslmode=verify-full&${rootCertificate('missing')}`, 'missing.crt'],
  ])('is refused with %s', async (_, parameters, message) => {
    await expect(openOnPostgres(`${url}?${parameters()}`)).rejects.toMatchObject({
      code: 'store_tls',
      message: expect.stringContaining(message),
    });
  });

  test('answers 503 while the server shows a certificate that is not accepted, and works again after it', async () => {
    const renewed = await startServer('renewed', 'localhost');
    onTestFinished(() => renewed.stop());
    makeCertificate('unknown', 'localhost');
    const database = onLocalhost(await renewed.createDatabase());
    const fleet = await Fleet.start(`${database}?sslmode=verify-full&${rootCertificate('renewed')}`, 1);
    onTestFinished(() => fleet.close());
    const create = () => fleet.call('POST', '/tokens', { body: { type: 'token', data: 1 } });
    expect((await create()).status).toBe(201);
    await renewed.replaceCertificate(readCertificate('unknown'));
    for (const answer of [await create(), await create(), await fleet.call('GET', '/tokens')]) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    }
    await renewed.replaceCertificate(readCertificate('renewed'));
    expect((await create()).status).toBe(201);
    expect((await fleet.call('GET', '/tokens')).body.pagination.total_items).toBe(2);
  });

  test('is refused when the certificate is for another host', async () => {
    const named = await startServer('elsewhere', 'db.example');
    const database = onLocalhost(await named.createDatabase());
    const opened = openOnPostgres(`${database}?sslmode=verify-full&${rootCertificate('elsewhere')}`);
    await expect(opened).rejects.toMatchObject({
      code: 'store_tls',
      message: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID'),
    });
    await named.stop();
  });
});
