import { appendFile, chmod, readdir, writeFile } from 'node:fs/promises';
import * as http from 'node:http';
import * as https from 'node:https';
import * as net from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { call } from '../../support/call.js';
import { CERTIFICATE, CERTIFICATE_KEY, EXPIRED_CERTIFICATE } from '../../support/certificates.js';
import { startEmulator } from '../../support/emulator.js';
import { projectDir, tokenctl, words } from '../../support/executable.js';
import { problem, type StubAnswer, serve, startStub } from '../../support/http-server.js';
import { PATIENCE } from '../../support/patience.js';
import { type TestTarget, useSharedEmulator } from '../../support/shared-emulator.js';

interface Checked {
  check: string;
  status: string;
  detail: string;
  fix?: string;
  category?: string;
}

/** How `doctor` is run. */
interface Setup {
  flags?: string;
  env?: Record<string, string>;
  cwd?: string;
}

/** A setup, with the exit code and the only problem that are due. */
interface Case extends Setup {
  code: number;
  problem: object;
}

const emulator = useSharedEmulator();
let target: TestTarget;
beforeAll(async () => {
  target = await emulator.tenant();
});

/** Runs `tokenctl doctor` and reads its report. */
async function diagnose({ flags = '', env = {}, cwd }: Setup = {}) {
  const directory = cwd ?? (await projectDir({}));
  const args = ['doctor', '--json', '--timeout', '20s', ...words(flags)];
  const { code, json, stderr } = await tokenctl(args, { cwd: directory, env });
  expect(json.version).toBe(1);
  const checks: Checked[] = json.checks;
  const problems = checks.filter(({ status }) => status === 'problem');
  for (const { fix, category } of problems) expect([fix, category]).not.toContain(undefined);
  expect(stderr).toMatch(problems.length === 0 ? /^$/ : /problems? (was|were) found/);
  const reported = JSON.stringify(checks);
  for (const secret of ['key_wrong', 'secret']) expect(reported).not.toContain(secret);
  return { code, problems, checks };
}

/** Declares a test for each setup, by its title. */
function finds(cases: Record<string, () => Promise<Case>>): void {
  test.each(Object.entries(cases))('%s', async (_title, setUp) => {
    const { code, problem: due, ...setup } = await setUp();
    const found = await diagnose(setup);
    expect([found.code, found.problems]).toMatchObject([code, [due]]);
  });
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

const INSECURE = '--base-url http://service.invalid --insecure';
const KEY = { TOKENCTL_API_KEY: 'key_wrong' };
const PROBLEM_TYPE = { 'content-type': 'application/problem+json' };
const HTML = { 'content-type': 'text/html' };
const withKey = (url: string) => ({ ...KEY, TOKENCTL_BASE_URL: url });
const containing = (text: string) => expect.stringContaining(text);

describe('doctor: a setup that works', () => {
  test('exits 0 and reports every key with its application', async () => {
    const { code, checks } = await diagnose({ env: target.env });
    expect([code, checks.filter(({ status }) => status !== 'ok')]).toEqual([0, []]);
    expect(checks.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['target', 'service', 'management key', 'private key', 'permissions']),
    );
  });

  finds({
    'without a target it exits 2 and names the ways to choose one': async () => ({
      code: 2,
      problem: { check: 'service', fix: containing('tokenctl emulator start') },
    }),
    'a broken configuration file is a problem, not an exception': async () => ({
      cwd: await projectDir({ 'config/config.json': '{' }),
      code: 2,
      problem: { check: 'configuration' },
    }),
  });
});

describe('doctor: the service cannot be reached (exit 7)', () => {
  finds({
    'the host name does not exist': async () => ({
      flags: INSECURE,
      env: KEY,
      code: 7,
      problem: {
        check: 'connection',
        detail: expect.stringMatching(/^The name service\.invalid (does not exist|cannot be looked up)/),
      },
    }),
    'nothing listens on the port': async () => ({
      env: withKey('http://127.0.0.1:1'),
      code: 7,
      problem: {
        detail: 'Nothing listens on 127.0.0.1:1 (connection refused).',
        fix: containing('TOKENCTL_BASE_URL'),
      },
    }),
    'it accepts the connection and never answers': async () => {
      const url = `http://${await serve(net.createServer())}`;
      const detail = `${url} did not answer within 0.3 s.`;
      return { flags: `--base-url ${url} --timeout 300ms`, env: KEY, code: 7, problem: { detail } };
    },
    'it speaks http, not https': async () => ({
      env: { ...target.env, TOKENCTL_BASE_URL: emulator.url.replace('http:', 'https:') },
      code: 7,
      problem: { detail: containing('answers plain http, not https'), fix: containing('TOKENCTL_BASE_URL') },
    }),
    'its certificate has expired, or the clock of this machine is wrong': async () => {
      const host = await serve(secureServer(EXPIRED_CERTIFICATE));
      const cwd = await projectDir({ 'ca.pem': EXPIRED_CERTIFICATE });
      const env = { ...withKey(`https://${host}`), NODE_EXTRA_CA_CERTS: join(cwd, 'ca.pem') };
      return {
        cwd,
        env,
        code: 7,
        problem: { detail: containing('has expired'), fix: containing('time of this machine') },
      };
    },
  });

  test('its certificate comes from an unknown authority, as behind an intercepting proxy', async () => {
    const server = secureServer(CERTIFICATE, (_, response) =>
      response
        .writeHead(401, { ...PROBLEM_TYPE, 'svc-trace-id': 'trace' })
        .end(JSON.stringify({ title: 'Unauthorized', status: 401, detail: 'No.' })),
    );
    const env = withKey(`https://${await serve(server)}`);
    expect(await diagnose({ env })).toMatchObject({
      code: 7,
      problems: [{ detail: containing('is self-signed'), fix: containing('NODE_EXTRA_CA_CERTS=') }],
    });
    const cwd = await projectDir({ 'ca.pem': CERTIFICATE });
    const trusted = await diagnose({ env: { ...env, NODE_EXTRA_CA_CERTS: join(cwd, 'ca.pem') }, cwd });
    expect(trusted.problems).toMatchObject([{ check: 'key', detail: 'the service rejects it: No.' }]);
  });
});

describe('doctor: the wrong server', () => {
  finds({
    'another path of the service exits 5': async () => ({
      env: { ...target.env, TOKENCTL_BASE_URL: `${emulator.url}/api/v1` },
      code: 5,
      problem: { check: 'service' },
    }),
    'headers with another prefix are named': async () => {
      const headers = { ...PROBLEM_TYPE, 'BT-TRACE-ID': '1' };
      const { url } = await startStub({ ...problem(401, 'Unauthorized'), headers });
      const fix = 'export TOKENCTL_HEADER_PREFIX=BT';
      return { flags: `--base-url ${url}`, env: KEY, code: 4, problem: { fix } };
    },
  });

  test.each<[string, StubAnswer, number]>([
    ['a page', { headers: HTML, body: '<h1>It works</h1>' }, 1],
    ['JSON', { body: { data: [] } }, 1],
    ['a page for 404', { status: 404, headers: HTML, body: 'no' }, 5],
  ])('a web server that answers with %s gets no key', async (_, answer, exit) => {
    const stub = await startStub(answer);
    const { code, problems } = await diagnose({ flags: `--base-url ${stub.url}`, env: KEY });
    expect(code).toBe(exit);
    expect(problems[0]?.detail).toContain('not how a tokenization service answers');
    expect(JSON.stringify(stub.requests)).not.toContain('key_wrong');
  });
});

describe('doctor: keys and permissions (exit 4)', () => {
  finds({
    'a rejected key of the environment is named as such': async () => ({
      env: withKey(emulator.url),
      code: 4,
      problem: { check: 'key', fix: containing('TOKENCTL_API_KEY') },
    }),
    'a rejected key of a profile is replaced by a login': async () => ({
      cwd: await projectWithProfile({ base_url: emulator.url, keys: { private: 'key_wrong' } }),
      code: 4,
      problem: { fix: 'tokenctl auth login --profile dev' },
    }),
    'an expired key is named with its end': async () => {
      const { run, tenantId, keys } = await emulator.project();
      await run('application create --name short-lived --type private --permission token:read');
      const expires = new Date(Date.now() + 3_600_000).toISOString();
      const made = await run(['application', 'key', 'create', 'short-lived', '--expires', expires]);
      const clock = `/_emulator/tenants/${tenantId}/clock`;
      await call({ ...emulator, keys }, 'PUT', clock, { control: true, body: { advance: '2h' } });
      const env = { TOKENCTL_BASE_URL: emulator.url, TOKENCTL_API_KEY: made.json.key };
      return { env, code: 4, problem: { detail: containing('expired at') } };
    },
    'without a key it names the command that stores one': async () => ({
      flags: `--base-url ${emulator.url}`,
      code: 4,
      problem: { check: 'keys', fix: containing('tokenctl auth login') },
    }),
  });

  test('missing permissions are named with the command that grants them', async () => {
    const { run } = await emulator.project();
    const made = await run('application create --name support --type private --permission token:read');
    const env = { TOKENCTL_BASE_URL: emulator.url, TOKENCTL_API_KEY: made.json.key };
    expect(await diagnose({ env })).toMatchObject({
      code: 4,
      problems: [
        {
          check: 'permissions',
          detail: containing('token:search'),
          fix: containing('tokenctl application update support --permission token:read,token:create'),
        },
      ],
    });
    expect((await diagnose({ flags: '--permission token:read', env })).code).toBe(0);
    expect(await diagnose({ flags: '--permission token:read,token:use', env })).toMatchObject({
      code: 4,
      problems: [{ detail: 'the application support lacks token:use' }],
    });
  });
});

describe('doctor: data directory and port (exit 1)', () => {
  /** Creates the data directory of a stopped emulator, changes it, and returns what is due. */
  const stopped = async (change: (dataDir: string) => Promise<unknown>, due: (dataDir: string) => object) => {
    const dataDir = join(await projectDir({}), '.tokenctl');
    await (await startEmulator({ port: 0, dataDir })).close();
    await change(dataDir);
    const env = { ...target.env, TOKENCTL_DATA_DIR: dataDir };
    return { flags: '--port 0', env, code: 1, problem: due(dataDir) };
  };

  const running = async () => {
    const dataDir = join(await projectDir({}), '.tokenctl');
    const emulator = await startEmulator({ port: 0, dataDir });
    onTestFinished(() => emulator.close());
    return { env: { TOKENCTL_DATA_DIR: dataDir }, dataDir };
  };

  test('a damaged journal is repaired by `emulator doctor --repair`', async () => {
    let segment = '';
    const { problem: due, ...setup } = await stopped(
      async (dataDir) => {
        [segment = ''] = await readdir(join(dataDir, 'journal'));
        await appendFile(join(dataDir, 'journal', segment), 'damaged\n{"sum":"0"}\n');
      },
      (dataDir) => ({
        check: 'data directory',
        fix: `tokenctl emulator doctor --repair --data-dir ${dataDir}`,
      }),
    );
    expect(await diagnose(setup)).toMatchObject({ code: 1, problems: [due] });
    const start = 'emulator start --port 0';
    const started = await tokenctl(start, { cwd: await projectDir({}), env: setup.env });
    expect(started).toMatchObject({ code: 7, stderr: containing(segment) });
  });

  finds({
    'a state file that is not JSON is written by the next start': () =>
      stopped(
        (dataDir) => writeFile(join(dataDir, 'state.json'), '{'),
        () => ({ check: 'data directory', fix: containing('tokenctl emulator start') }),
      ),
    'a data directory that others can read is closed by chmod': () =>
      stopped(
        (dataDir) => chmod(dataDir, 0o755),
        (dataDir) => ({ fix: `chmod 700 ${dataDir}` }),
      ),
    'a data directory that a running emulator has open is not for --local': async () => {
      const { env } = await running();
      return { flags: '--local', env, code: 1, problem: { fix: containing('emulator stop') } };
    },
    'a port that is taken is named': async () => {
      const port = (await serve(net.createServer((socket) => socket.end()))).split(':')[1];
      const fix = 'tokenctl emulator start --port 0';
      const problem = { detail: `${port} is in use`, fix };
      return { flags: `--port ${port}`, env: target.env, code: 1, problem };
    },
  });

  test('an event that the network policy keeps back is named with the flag that allows it', async () => {
    const { env, dataDir } = await running();
    const url = 'https://hooks.example.com/orders';
    const options = { cwd: dataDir, env };
    await tokenctl(words(`webhook create --name a --url ${url} --event token.created`), options);
    await tokenctl(words('token create --type token --data 1'), options);
    const failing = async () => (await diagnose({ env })).checks.find(({ check }) => check === 'deliveries');
    await vi.waitFor(
      async () =>
        expect(await failing()).toMatchObject({
          status: 'warning',
          detail: expect.stringMatching(/^1 failed.*orders: .*--allow-net hooks\.example\.com/),
        }),
      PATIENCE,
    );
  });

  test('--local on a free port needs no target', async () => {
    expect((await diagnose({ flags: '--local --port 0' })).code).toBe(0);
  });

  test('an old Node.js is refused before anything else', async () => {
    const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } });`;
    const cwd = await projectDir({ 'old.cjs': old });
    expect(await tokenctl('doctor', { cwd, env: { NODE_OPTIONS: '--require ./old.cjs' } })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/needs Node\.js 20\.19 or newer; this is 18\.20\.8[\s\S]*nvm install 22/),
    });
  });
});

describe('doctor: proxies', () => {
  const through = (HTTP_PROXY: string) => ({ flags: INSECURE, env: { ...KEY, HTTP_PROXY } });

  finds({
    'a proxy that cannot be reached exits 7': async () => ({
      ...through('http://user:secret@127.0.0.1:1'),
      code: 7,
      problem: {
        check: 'proxy',
        detail: containing('through the proxy 127.0.0.1:1: ECONNREFUSED'),
        fix: containing('NO_PROXY=service.invalid'),
      },
    }),
    'a proxy that refuses a tunnel exits 7': async () => {
      const server = http.createServer().on('connect', (_, socket) => {
        socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
      });
      const env = { ...KEY, HTTPS_PROXY: `http://${await serve(server)}` };
      const problem = { check: 'proxy', detail: containing('HTTP 403') };
      return { flags: '--base-url https://service.invalid', env, code: 7, problem };
    },
  });

  test('a proxy that passes requests on is reported', async () => {
    const proxy = await startStub(problem(401, 'Unauthorized'));
    const { checks } = await diagnose(through(proxy.url));
    const { host } = new URL(proxy.url);
    expect(checks).toContainEqual(expect.objectContaining({ check: 'proxy', status: 'ok', detail: host }));
  });
});
