import { once } from 'node:events';
import { appendFile, chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import * as http from 'node:http';
import * as https from 'node:https';
import * as net from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { CERTIFICATE, CERTIFICATE_KEY, EXPIRED_CERTIFICATE } from '../../support/certificates.js';
import { startEmulator } from '../../support/emulator.js';
import { tokenctl } from '../../support/executable.js';
import { projectDir } from '../../support/project-dir.js';
import { type SharedEmulator, startSharedEmulator, type TestTarget } from '../../support/shared-emulator.js';
import { problem, type StubAnswer, startStub } from '../../support/stub.js';

interface Checked {
  check: string;
  status: string;
  detail: string;
  fix?: string;
  category?: string;
}

interface Diagnosis {
  code: number | null;
  /** Everything that is wrong. */
  problems: Checked[];
  checks: Checked[];
}

let emulator: SharedEmulator;
let target: TestTarget;

beforeAll(async () => {
  emulator = await startSharedEmulator();
  target = await emulator.tenant();
});
afterAll(() => emulator.close());

/** Runs `tokenctl doctor` and reads its report. */
async function diagnose(
  args: readonly string[],
  env: Record<string, string> = {},
  cwd?: string,
): Promise<Diagnosis> {
  const directory = cwd ?? (await projectDir({}));
  const ran = await tokenctl(['doctor', '--json', '--timeout', '20s', ...args], { cwd: directory, env });
  const report = JSON.parse(ran.stdout);
  expect(report.version).toBe(1);
  const checks: Checked[] = report.checks;
  const problems = checks.filter(({ status }) => status === 'problem');
  for (const { fix, category } of problems) expect([fix, category]).not.toContain(undefined);
  expect(ran.stderr).toMatch(problems.length === 0 ? /^$/ : /problems? (was|were) found/);
  return { code: ran.code, problems, checks };
}

/** Starts a server until the test ends and returns its address. */
async function serve(server: net.Server): Promise<{ port: number; host: string }> {
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket: net.Socket) => sockets.add(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as net.AddressInfo;
  return { port, host: `127.0.0.1:${port}` };
}

async function stubbed(...answers: StubAnswer[]) {
  const stub = await startStub(...answers);
  onTestFinished(() => stub.close());
  return stub;
}

const secureServer = (cert: string, answer: http.RequestListener = (_, response) => response.end('{}')) =>
  https.createServer({ key: CERTIFICATE_KEY, cert }, answer);

/** Creates a project whose user has one profile, the current one. */
async function projectWithProfile(profile: object): Promise<string> {
  const config = { current: 'dev', profiles: { dev: profile } };
  const cwd = await projectDir({ 'config/config.json': JSON.stringify(config) });
  await chmod(join(cwd, 'config/config.json'), 0o600);
  return cwd;
}

const INSECURE = ['--base-url', 'http://service.invalid', '--insecure'];
const KEY = { TOKENCTL_API_KEY: 'key_wrong' };

describe('doctor: a setup that works', () => {
  test('exits 0 and reports every key with its application', async () => {
    const { code, checks } = await diagnose([], target.env);
    expect([code, checks.filter(({ status }) => status !== 'ok')]).toEqual([0, []]);
    expect(checks.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['target', 'service', 'management key', 'private key', 'permissions']),
    );
  });

  test('without a target it exits 2 and names the ways to choose one', async () => {
    const { code, problems } = await diagnose([]);
    expect([code, problems]).toMatchObject([
      2,
      [{ check: 'service', fix: expect.stringContaining('tokenctl emulator start') }],
    ]);
  });

  test('a broken configuration file is a problem, not an exception', async () => {
    const cwd = await projectDir({ 'config/config.json': '{' });
    const { code, problems } = await diagnose([], {}, cwd);
    expect(code).toBe(2);
    expect(problems.map(({ check }) => check)).toEqual(['configuration']);
  });
});

describe('doctor: the service cannot be reached (exit 7)', () => {
  test('the host name does not exist', async () => {
    const { code, problems } = await diagnose(INSECURE, KEY);
    expect([code, problems]).toMatchObject([7, [{ check: 'connection' }]]);
    expect(problems[0]?.detail).toMatch(/^The name service\.invalid (does not exist|cannot be looked up)/);
  });

  test('nothing listens on the port', async () => {
    const { host } = await serve(net.createServer());
    const closed = host.replace(/\d+$/, '1');
    const { code, problems } = await diagnose([], { ...KEY, TOKENCTL_BASE_URL: `http://${closed}` });
    expect([code, problems]).toMatchObject([
      7,
      [
        {
          detail: `Nothing listens on ${closed} (connection refused).`,
          fix: expect.stringContaining('TOKENCTL_BASE_URL'),
        },
      ],
    ]);
  });

  test('it accepts the connection and never answers', async () => {
    const { host } = await serve(net.createServer());
    const { code, problems } = await diagnose(['--base-url', `http://${host}`, '--timeout', '300ms'], KEY);
    expect([code, problems]).toMatchObject([7, [{ detail: `http://${host} did not answer within 0.3 s.` }]]);
  });

  test('it speaks http, not https', async () => {
    const url = emulator.url.replace('http:', 'https:');
    const { code, problems } = await diagnose([], { ...target.env, TOKENCTL_BASE_URL: url });
    expect([code, problems]).toMatchObject([
      7,
      [
        {
          detail: expect.stringContaining('answers plain http, not https'),
          fix: expect.stringContaining('TOKENCTL_BASE_URL'),
        },
      ],
    ]);
  });

  test('its certificate comes from an unknown authority, as behind an intercepting proxy', async () => {
    const answer = { 'content-type': 'application/problem+json', 'svc-trace-id': 'trace' };
    const server = secureServer(CERTIFICATE, (_, response) =>
      response
        .writeHead(401, answer)
        .end(JSON.stringify({ title: 'Unauthorized', status: 401, detail: 'No.' })),
    );
    const { host } = await serve(server);
    const env = { ...KEY, TOKENCTL_BASE_URL: `https://${host}` };
    const { code, problems } = await diagnose([], env);
    expect([code, problems]).toMatchObject([7, [{ detail: expect.stringContaining('SELF_SIGNED_CERT') }]]);
    expect(problems[0]?.fix).toContain('NODE_EXTRA_CA_CERTS=');

    const cwd = await projectDir({ 'ca.pem': CERTIFICATE });
    const trusted = await diagnose([], { ...env, NODE_EXTRA_CA_CERTS: join(cwd, 'ca.pem') }, cwd);
    expect(trusted.problems).toMatchObject([{ check: 'key', detail: 'the service rejects it: No.' }]);
  });

  test('its certificate has expired, or the clock of this machine is wrong', async () => {
    const { host } = await serve(secureServer(EXPIRED_CERTIFICATE));
    const cwd = await projectDir({ 'ca.pem': EXPIRED_CERTIFICATE });
    const env = { ...KEY, TOKENCTL_BASE_URL: `https://${host}`, NODE_EXTRA_CA_CERTS: join(cwd, 'ca.pem') };
    const { code, problems } = await diagnose([], env, cwd);
    expect([code, problems]).toMatchObject([7, [{ detail: expect.stringContaining('CERT_HAS_EXPIRED') }]]);
    expect(problems[0]?.fix).toContain('date -u');
  });
});

describe('doctor: the wrong server', () => {
  test('another path of the service exits 5', async () => {
    const env = { ...target.env, TOKENCTL_BASE_URL: `${emulator.url}/api/v1` };
    const { code, problems } = await diagnose([], env);
    expect([code, problems]).toMatchObject([5, [{ check: 'service' }]]);
  });

  test('a profile with the wrong address is named', async () => {
    const stub = await stubbed(problem(404, 'Not Found'));
    const cwd = await projectWithProfile({ base_url: stub.url, keys: { private: 'key_wrong' } });
    const { code, problems } = await diagnose([], {}, cwd);
    expect([code, problems]).toMatchObject([5, [{ fix: expect.stringContaining('profile dev') }]]);
  });

  test.each<[string, StubAnswer, number]>([
    ['a page', { headers: { 'content-type': 'text/html' }, body: '<h1>It works</h1>' }, 1],
    ['JSON', { body: { data: [] } }, 1],
    ['a page for 404', { status: 404, headers: { 'content-type': 'text/html' }, body: 'no' }, 5],
  ])('a web server that answers with %s gets no key', async (_, answer, exit) => {
    const stub = await stubbed(answer);
    const { code, problems } = await diagnose(['--base-url', stub.url], KEY);
    expect(code).toBe(exit);
    expect(problems[0]?.detail).toContain('as a tokenization service does not');
    expect(JSON.stringify(stub.requests)).not.toContain('key_wrong');
  });

  test('a redirect is followed by nobody, but named', async () => {
    const stub = await stubbed({
      status: 301,
      headers: { location: 'https://api.example.com/applications/key' },
    });
    const { code, problems } = await diagnose(['--base-url', stub.url], KEY);
    expect([code, problems]).toMatchObject([
      1,
      [{ detail: expect.stringContaining('redirects to https://api.example.com/') }],
    ]);
  });

  test('headers with another prefix', async () => {
    const stub = await stubbed({
      ...problem(401, 'Unauthorized'),
      headers: { 'content-type': 'application/problem+json', 'BT-TRACE-ID': '1' },
    });
    const { code, problems } = await diagnose(['--base-url', stub.url], KEY);
    expect([code, problems]).toMatchObject([4, [{ fix: 'export TOKENCTL_HEADER_PREFIX=BT' }]]);
  });

  test.each([
    [429, 6],
    [503, 1],
  ])('status %i exits %i', async (status, exit) => {
    const stub = await stubbed(problem(status, 'No'));
    expect((await diagnose(['--base-url', stub.url], KEY)).code).toBe(exit);
  });
});

describe('doctor: keys and permissions (exit 4)', () => {
  test('a rejected key of the environment is named as such', async () => {
    const env = { ...KEY, TOKENCTL_BASE_URL: emulator.url };
    const { code, problems } = await diagnose([], env);
    expect([code, problems]).toMatchObject([
      4,
      [{ check: 'key', fix: expect.stringMatching(/TOKENCTL_API_KEY/) }],
    ]);
    expect(JSON.stringify(problems)).not.toContain('key_wrong');
  });

  test('a rejected key of a profile is replaced by a login', async () => {
    const cwd = await projectWithProfile({ base_url: emulator.url, keys: { private: 'key_wrong' } });
    const { code, problems } = await diagnose([], {}, cwd);
    expect([code, problems]).toMatchObject([4, [{ fix: 'tokenctl auth login --profile dev' }]]);
  });

  test('an expired key', async () => {
    const own = await emulator.tenant();
    const run = (args: string[], cwd: string) => tokenctl(args, { cwd, env: own.env });
    const cwd = await projectDir({});
    const create = ['application', 'create', '--name', 'short-lived', '--type', 'private'];
    await run([...create, '--permission', 'token:read'], cwd);
    const expires = new Date(Date.now() + 3_600_000).toISOString();
    const made = await run(['application', 'key', 'create', 'short-lived', '--expires', expires], cwd);
    await fetch(`${emulator.url}/_emulator/tenants/${own.tenantId}/clock`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${emulator.controlToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ advance: '2h' }),
    });
    const env = { TOKENCTL_BASE_URL: emulator.url, TOKENCTL_API_KEY: JSON.parse(made.stdout).key };
    const { code, problems } = await diagnose([], env, cwd);
    expect([code, problems]).toMatchObject([4, [{ detail: expect.stringContaining('expired at') }]]);
  });

  test('missing permissions are named with the command that grants them', async () => {
    const cwd = await projectDir({});
    const create = ['application', 'create', '--name', 'support', '--type', 'private'];
    const made = await tokenctl([...create, '--permission', 'token:read'], { cwd, env: target.env });
    const env = { TOKENCTL_BASE_URL: emulator.url, TOKENCTL_API_KEY: JSON.parse(made.stdout).key };
    const all = await diagnose([], env);
    expect([all.code, all.problems]).toMatchObject([4, [{ check: 'permissions' }]]);
    expect(all.problems[0]?.detail).toContain('token:search');
    expect(all.problems[0]?.fix).toContain(
      'tokenctl application update support --permission token:read,token:create',
    );
    expect((await diagnose(['--permission', 'token:read'], env)).code).toBe(0);
    const wanted = await diagnose(['--permission', 'token:read,token:use'], env);
    expect([wanted.code, wanted.problems]).toMatchObject([
      4,
      [{ detail: 'the application support lacks token:use' }],
    ]);
  });

  test('there is no key, or the command that prints it fails', async () => {
    expect(await diagnose(['--base-url', emulator.url])).toMatchObject({
      code: 4,
      problems: [{ check: 'keys', fix: expect.stringContaining('tokenctl auth login') }],
    });
    const cwd = await projectWithProfile({ base_url: emulator.url, keys: {}, key_command: 'exit 3' });
    expect(await diagnose([], {}, cwd)).toMatchObject({
      code: 4,
      problems: [{ fix: expect.stringContaining('profile show') }],
    });
  });
});

describe('doctor: data directory and port (exit 1)', () => {
  /** Creates the data directory of a stopped emulator. */
  async function stoppedDataDir(): Promise<string> {
    const dataDir = join(await projectDir({}), '.tokenctl');
    await (await startEmulator({ port: 0, dataDir })).close();
    return dataDir;
  }

  test('a damaged journal is repaired by `emulator doctor --repair`', async () => {
    const dataDir = await stoppedDataDir();
    const [segment = ''] = await readdir(join(dataDir, 'journal'));
    await appendFile(join(dataDir, 'journal', segment), 'damaged\n{"sum":"0"}\n');
    const env = { ...target.env, TOKENCTL_DATA_DIR: dataDir };
    const { code, problems } = await diagnose(['--port', '0'], env);
    expect([code, problems]).toMatchObject([
      1,
      [{ check: 'data directory', fix: `tokenctl emulator doctor --repair --data-dir ${dataDir}` }],
    ]);
    const started = await tokenctl(['emulator', 'start', '--port', '0', '--data-dir', dataDir], {
      cwd: dataDir,
      env,
    });
    expect([started.code, started.stderr]).toEqual([7, expect.stringContaining(segment)]);
  });

  test('a state file that is not JSON', async () => {
    const dataDir = await stoppedDataDir();
    await writeFile(join(dataDir, 'state.json'), '{');
    const { code, problems } = await diagnose(['--port', '0'], { ...target.env, TOKENCTL_DATA_DIR: dataDir });
    expect([code, problems]).toMatchObject([
      1,
      [{ check: 'data directory', fix: expect.stringContaining('tokenctl emulator start') }],
    ]);
  });

  test('a data directory that others can read', async () => {
    const dataDir = await stoppedDataDir();
    await chmod(dataDir, 0o755);
    const { code, problems } = await diagnose(['--port', '0'], { ...target.env, TOKENCTL_DATA_DIR: dataDir });
    expect([code, problems]).toMatchObject([1, [{ fix: `chmod 700 ${dataDir}` }]]);
  });

  test('--local on a data directory that a running emulator has open', async () => {
    const dataDir = join(await projectDir({}), '.tokenctl');
    const running = await startEmulator({ port: 0, dataDir });
    onTestFinished(() => running.close());
    const { code, problems } = await diagnose(['--local'], { TOKENCTL_DATA_DIR: dataDir });
    expect([code, problems]).toMatchObject([1, [{ fix: expect.stringContaining('emulator stop') }]]);
    expect((await diagnose(['--local', '--port', '0'])).code).toBe(0);
  });

  test('a data directory that is a file', async () => {
    const cwd = await projectDir({ data: '' });
    const { code, problems } = await diagnose([], { ...target.env, TOKENCTL_DATA_DIR: 'data' }, cwd);
    expect([code, problems[0]]).toMatchObject([1, { fix: expect.stringContaining('--data-dir') }]);
  });

  test('a port that is taken', async () => {
    const { port } = await serve(net.createServer((socket) => socket.end()));
    const { code, problems } = await diagnose(['--port', String(port)], target.env);
    expect([code, problems]).toMatchObject([
      1,
      [{ detail: `${port} cannot be listened on: EADDRINUSE`, fix: 'tokenctl emulator start --port 0' }],
    ]);
  });

  test('an old Node.js is refused before anything else', async () => {
    const cwd = await projectDir({
      'old.cjs': `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } });`,
    });
    const ran = await tokenctl(['doctor'], { cwd, env: { NODE_OPTIONS: '--require ./old.cjs' } });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/needs Node\.js 20\.19 or newer; this is 18\.20\.8[\s\S]*nvm install 22/);
  });
});

describe('doctor: proxies', () => {
  test('a proxy that cannot be reached exits 7', async () => {
    const env = { ...KEY, HTTP_PROXY: 'http://user:secret@127.0.0.1:1' };
    const { code, problems } = await diagnose(INSECURE, env);
    expect([code, problems]).toMatchObject([
      7,
      [{ check: 'proxy', detail: expect.stringContaining('through the proxy 127.0.0.1:1: ECONNREFUSED') }],
    ]);
    expect(problems[0]?.fix).toContain('NO_PROXY=service.invalid');
    expect(JSON.stringify(problems)).not.toContain('secret');
  });

  test('a proxy that refuses a tunnel', async () => {
    const server = http.createServer().on('connect', (_, socket) => {
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
    });
    const { host } = await serve(server);
    const args = ['--base-url', 'https://service.invalid'];
    const { code, problems } = await diagnose(args, { ...KEY, HTTPS_PROXY: `http://${host}` });
    expect([code, problems]).toMatchObject([
      7,
      [{ check: 'proxy', detail: expect.stringContaining('HTTP 403') }],
    ]);
  });

  test('a proxy that passes requests on is reported', async () => {
    const proxy = await stubbed(problem(401, 'Unauthorized'));
    const { checks } = await diagnose(INSECURE, { ...KEY, HTTP_PROXY: proxy.url });
    expect(checks.find(({ check }) => check === 'proxy')).toMatchObject({
      status: 'ok',
      detail: new URL(proxy.url).host,
    });
  });
});

test('mixed causes exit 1', async () => {
  const cwd = await projectDir({ '.tokenctl': '' });
  await mkdir(join(cwd, 'config'));
  expect((await diagnose([], { ...KEY, TOKENCTL_BASE_URL: emulator.url }, cwd)).code).toBe(1);
});
