import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  cleanEnvironment,
  EXECUTABLE,
  type Ran,
  runProgram,
  scratchDir,
  startTokenctl,
  tokenctl,
} from '../support/executable.js';
import { problem, type Stub, type StubAnswer, startStub } from '../support/http-server.js';

const cwd = scratchDir();

function run(url: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  return tokenctl(args, { cwd, env: { TOKENCTL_BASE_URL: url, TOKENCTL_API_KEY: 'key_secret', ...env } });
}

/** The error object: the only line on stderr, of a write as well. */
function errorOf({ stderr }: Ran): Record<string, unknown> {
  return (JSON.parse(stderr) as { error: Record<string, unknown> }).error;
}

const GET = ['token', 'get', 'abc'];
/** Sends the key over plain http to another machine. */
const INSECURE = [...GET, '--insecure'];
const CREATE = ['token', 'create', '--type', 'token', '--data', '1'];
const REACT = ['reactor', 'react', '11111111-1111-4111-8111-111111111111'];
const TOKEN = { id: 'abc', type: 'token', containers: ['/'] };
const SOON = { 'retry-after': '0' };

test.each([
  [400, 2, 'invalid'],
  [401, 4, 'unauthorized'],
  [404, 5, 'not_found'],
  [409, 1, 'failed'],
  [413, 1, 'failed'],
])('exit codes (cli.md, Failure): %i gives %i', async (status, code, category) => {
  const stub = await startStub(problem(status, 'Some Title', { errors: { 'data.number': ['is wrong'] } }));
  const ran = await run(stub.url, GET);
  expect(ran).toMatchObject({ code, stdout: '' });
  expect(errorOf(ran)).toMatchObject({
    category,
    status,
    title: 'Some Title',
    detail: 'Some Title.',
    errors: { 'data.number': ['is wrong'] },
    trace_id: 'trace-1',
  });
  expect(stub.requests).toHaveLength(1);
});

test.each<[string, StubAnswer]>([
  ['429 with Retry-After', { ...problem(429, 'Too Many Requests'), headers: SOON }],
  [
    '503 of something that speaks no problem details',
    { status: 503, body: '<html>card 4242424242424242</html>' },
  ],
  ['a fault can reset the connection', { reset: true }],
  ['409 while the idempotency key is in flight', problem(409, 'Request In Flight')],
])('retries: %s: a POST, under one idempotency key', async (_name, answer) => {
  const stub = await startStub(answer, { status: 201, body: TOKEN });
  const ran = await run(stub.url, CREATE);
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  const keys = stub.requests.map(({ headers }) => headers['svc-idempotency-key']);
  expect(keys).toHaveLength(2);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys[1]).toBe(keys[0]);
});

test('rate limited for good: exit code 6 after four tries', async () => {
  const stub = await startStub({
    ...problem(429, 'Too Many Requests'),
    headers: { ...SOON, 'content-type': 'application/problem+json' },
  });
  const ran = await run(stub.url, GET);
  expect([ran.code, stub.requests.length]).toEqual([6, 4]);
  expect(errorOf(ran)).toMatchObject({ category: 'rate_limited', status: 429 });
});

test('a final 408 is a timeout: exit code 7', async () => {
  const stub = await startStub(problem(408, 'Request Timeout'));
  expect(await run(stub.url, GET)).toMatchObject({ code: 7 });
});

test.each([
  [500, 'Reactor Runtime Error'],
  [503, 'Service Unavailable'],
])("a reactor's own %i is not: its side effects would run again", async (status, title) => {
  const stub = await startStub(problem(status, title, { errors: { error: ['boom'] } }));
  const ran = await run(stub.url, REACT);
  expect([ran.code, stub.requests.length]).toEqual([1, 1]);
  expect(errorOf(ran)).toMatchObject({ errors: { error: ['boom'] } });
});

test('the message does not repeat a response that is not from the service', async () => {
  const stub = await startStub({ status: 502, body: '<html>4242424242424242</html>' });
  const ran = await run(stub.url, GET);
  expect(ran.code).toBe(1);
  expect(ran.stderr).not.toContain('4242424242');
  expect(errorOf(ran)).toMatchObject({ title: 'HTTP 502', status: 502 });
});

/** The commands find the stub as they find an emulator: in a state file. */
async function events(args: readonly string[], answer: StubAnswer): Promise<Ran> {
  const { url } = await startStub(answer);
  const dataDir = await mkdtemp(join(cwd, 'data-'));
  const state = {
    base_url: url,
    pid: process.pid,
    data_dir: dataDir,
    control_token: 'control_secret',
    tenants: [],
  };
  await writeFile(join(dataDir, 'state.json'), JSON.stringify(state));
  return run(url, [...args, '--data-dir', dataDir]);
}

test.each<[number, number, string, readonly string[]]>([
  [401, 4, 'unauthorized', ['emulator', 'logs']],
  [429, 6, 'rate_limited', ['emulator', 'logs', '--follow']],
  [503, 1, 'failed', ['reactor', 'logs', '11111111-1111-4111-8111-111111111111']],
])('events of an emulator: %i gives %i, not no events', async (status, code, category, args) => {
  const ran = await events(args, problem(status, 'Some Title'));
  expect(ran).toMatchObject({ code, stdout: '' });
  expect(errorOf(ran)).toMatchObject({ category, status, title: 'Some Title', trace_id: 'trace-1' });
});

test('recent events that end too early are not all of them: exit code 7', async () => {
  const body = 'data: {"kind":"clock","time":"2026-01-02T03:04:05.678Z"}\n\n';
  const ran = await events(['emulator', 'logs', '-o', 'ndjson'], { body });
  expect(ran).toMatchObject({ code: 7 });
  expect(errorOf(ran)).toMatchObject({ category: 'unreachable' });
});

test('if it is slower than --timeout, exit code 7', async () => {
  const stub = await startStub({ delayMs: 5_000, body: TOKEN });
  const ran = await run(stub.url, [...GET, '--timeout', '200ms']);
  expect(ran.code).toBe(7);
  expect(errorOf(ran)).toMatchObject({ category: 'timeout', hint: expect.stringContaining('--timeout') });
});

test('a response that is not JSON', async () => {
  const stub = await startStub({ body: 'welcome' });
  const ran = await run(stub.url, GET);
  expect(ran.code).toBe(1);
  expect(errorOf(ran)).toMatchObject({ title: 'Unexpected Response' });
});

test('a redirect is not followed: the key would go with it', async () => {
  const other = await startStub({ body: TOKEN });
  const stub = await startStub({ status: 307, headers: { location: `${other.url}/tokens/abc` } });
  const ran = await run(stub.url, GET);
  expect([ran.code, other.requests.length]).toEqual([1, 0]);
});

/** Runs a command until the stub has a request of it. */
async function interrupt(stub: Stub, args: readonly string[], signal: NodeJS.Signals) {
  const env = { TOKENCTL_BASE_URL: stub.url, TOKENCTL_API_KEY: 'k' };
  const { end, printed } = startTokenctl(args, { cwd, env });
  await expect.poll(() => stub.requests.length).toBeGreaterThan(0);
  expect(await end(signal)).toBe(130);
  expect(printed()).toContain('"category":"interrupted"');
}

test.each(['SIGINT', 'SIGTERM'] as const)('Ctrl-C: %s ends a request in flight with 130', async (signal) => {
  await interrupt(await startStub({ delayMs: 10_000 }), GET, signal);
});

test('Ctrl-C ends a reactor that runs in this process', async () => {
  const stub = await startStub({ delayMs: 20_000 });
  const code = `module.exports = async () => ({ raw: { status: (await fetch('${stub.url}')).status } })`;
  await writeFile(join(cwd, 'slow.js'), code);
  await interrupt(stub, ['reactor', 'run', 'slow.js'], 'SIGINT');
});

describe('request headers and bodies', () => {
  test('the key is sent in its header only, and only the key of the operation', async () => {
    const stub = await startStub({ body: TOKEN });
    await run(stub.url, GET, { TOKENCTL_PRIVATE_KEY: 'the-private-one' });
    expect(stub.requests[0]?.headers).toMatchObject({
      'svc-api-key': 'the-private-one',
      'user-agent': expect.stringMatching(/^tokenctl\/\d/),
    });
    expect(stub.requests[0]?.headers).not.toHaveProperty('svc-idempotency-key');
  });

  test('--header-prefix replaces SVC in all of them', async () => {
    const stub = await startStub(
      { ...problem(500, 'x'), headers: { 'x-trace-id': 'from-header' } },
      { status: 201, body: TOKEN },
    );
    await run(stub.url, [...CREATE, '--header-prefix', 'X']);
    expect(stub.requests[1]?.headers).toMatchObject({
      'x-api-key': 'key_secret',
      'x-idempotency-key': stub.requests[0]?.headers['x-idempotency-key'],
    });
  });

  test('a base URL with a path, a merge patch with its content type', async () => {
    const stub = await startStub({ body: TOKEN });
    await run(`${stub.url}/v1/`, ['token', 'update', 'a b/c', '--metadata', 'x=y']);
    expect(stub.requests[0]).toMatchObject({
      method: 'PATCH',
      path: '/v1/tokens/a%20b%2Fc',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: '{"metadata":{"x":"y"}}',
    });
  });

  test('HTTP_PROXY is used, NO_PROXY is not', async () => {
    const proxy = await startStub({ body: TOKEN });
    const through = await run('http://some.invalid', [...INSECURE, '--jq', '.id'], { HTTP_PROXY: proxy.url });
    expect(through, through.stderr).toMatchObject({ code: 0, stdout: 'abc\n' });
    const refused = await run('http://service.invalid', INSECURE, {
      HTTP_PROXY: proxy.url,
      NO_PROXY: 'service.invalid',
    });
    expect(refused.code).toBe(7);
    // What runs on this machine is reached directly.
    const direct = await startStub({ body: TOKEN });
    await run(direct.url, GET, { HTTP_PROXY: proxy.url });
    expect([proxy.requests.length, direct.requests.length]).toEqual([1, 1]);
  });

  test('a proxy may lack a scheme; an invalid one is reported without its value', async () => {
    const proxy = await startStub({ body: TOKEN });
    const through = await run('http://service.invalid', INSECURE, {
      HTTP_PROXY: proxy.url.slice('http://'.length),
    });
    expect(through, through.stderr).toMatchObject({ code: 0 });
    for (const [name, value] of [
      ['HTTP_PROXY', 'http://user:secret@a b'],
      ['http_proxy', 'http://user:secret%@proxy.example'],
      ['HTTP_PROXY', 'socks5://user:secret@proxy.example'],
    ] as const) {
      const ran = await run('http://service.invalid', INSECURE, { [name]: value });
      expect(ran).toMatchObject({
        code: 2,
        error: { detail: `${name} must be an http or https URL such as http://proxy.example:3128.` },
      });
      expect(ran.stderr).not.toContain('secret');
      // What runs on this machine is reached without it.
      const direct = await startStub({ body: TOKEN });
      expect(await run(direct.url, GET, { [name]: value })).toMatchObject({ code: 0 });
    }
  });

  test('a trailing line feed is removed from a key; a key that no header can hold is not sent', async () => {
    const stub = await startStub({ body: TOKEN });
    await run(stub.url, GET, { TOKENCTL_PRIVATE_KEY: 'the-private-one\n' });
    expect(stub.requests[0]?.headers).toMatchObject({ 'svc-api-key': 'the-private-one' });
    expect(await run(stub.url, GET, { TOKENCTL_PRIVATE_KEY: 'one\ntwo' })).toMatchObject({
      code: 2,
      error: { detail: 'TOKENCTL_PRIVATE_KEY must consist of printable ASCII characters without spaces.' },
    });
  });
});

describe.skipIf(process.platform !== 'linux')('stderr on a full disk', () => {
  const withFullDisk = (args: string, env: Record<string, string>) =>
    runProgram('sh', ['-c', `"$0" "$1" ${args} 2>/dev/full`, process.execPath, EXECUTABLE], { cwd, env });

  test('the exit code is that of the command', async () => {
    const missing = await startStub(problem(404, 'Not Found'));
    const key = { TOKENCTL_API_KEY: 'k' };
    expect(await withFullDisk('token get abc', { ...key, TOKENCTL_BASE_URL: missing.url })).toMatchObject({
      code: 5,
    });
    const created = await startStub({ status: 201, body: TOKEN });
    expect(await withFullDisk(CREATE.join(' '), { ...key, TOKENCTL_BASE_URL: created.url })).toMatchObject({
      code: 0,
      json: { id: 'abc' },
    });
  });

  test('an emulator that cannot write its log goes on until it is stopped', async () => {
    const full = await open('/dev/full', 'w');
    const args = [EXECUTABLE, 'emulator', 'start', '--port', '0', '--memory', '--json'];
    const child = spawn(process.execPath, args, {
      cwd,
      env: cleanEnvironment(cwd),
      stdio: ['ignore', 'pipe', full.fd],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    await once(child.stdout as Readable, 'data');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    await full.close();
  });
});
