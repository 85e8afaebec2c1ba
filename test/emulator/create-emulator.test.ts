import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { Server } from 'node:http';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { StateFile } from '../../src/contract/control/state-file.js';
import { call, createTenant } from '../support/call.js';
import {
  checkDataDir,
  type EmulatorOptions,
  openEmulator,
  type RunningEmulator,
  StartError,
  startEmulator,
} from '../support/emulator.js';
import { projectDir } from '../support/executable.js';

const as = 'management';
let dataDir: string;
const opened: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  dataDir = await projectDir({});
});
afterEach(async () => {
  for (const emulator of opened.splice(0)) await emulator.close();
});

async function start(options: EmulatorOptions = {}) {
  const emulator = await startEmulator({ port: 0, dataDir, ...options }, { warmSandbox: false });
  opened.push(emulator);
  return emulator;
}

async function stop(emulator: { close(): Promise<void> }): Promise<void> {
  opened.splice(opened.indexOf(emulator as never), 1);
  await emulator.close();
}

const state = async (): Promise<StateFile> => JSON.parse(await readFile(join(dataDir, 'state.json'), 'utf8'));

describe('cli.md, emulator start: the ready line and the state file', () => {
  test('the ready object, and the same with the control token in a file of mode 0600', async () => {
    const emulator = await start();
    const { ready, controlToken } = emulator;
    expect(ready).toEqual({
      base_url: emulator.url,
      dashboard_url: expect.stringContaining(`${emulator.url}/_emulator/ui`),
      tenant_id: expect.any(String),
      keys: { management: expect.any(String), private: expect.any(String), public: expect.any(String) },
      webhook_secret: expect.stringMatching(/^whsec_/),
      pid: process.pid,
      data_dir: dataDir,
    });
    expect(await state()).toMatchObject({ ...ready, control_token: controlToken });
    expect((await stat(join(dataDir, 'state.json'))).mode & 0o777).toBe(0o600);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  });

  test('keys are hashed everywhere else', async () => {
    const { keys } = await start();
    const journal = await readFile(join(dataDir, 'journal/00000001.jsonl'), 'utf8');
    expect(journal).toContain('"put":"applications"');
    for (const key of Object.values(keys)) expect(journal).not.toContain(key);
  });
});

describe('cli.md, emulator start: keys and data from start to start', () => {
  test('tokens, reactors, applications, settings and keys stay', async () => {
    const first = await start();
    await call(first, 'POST', '/tokens', { body: { id: 'kept', type: 'token', data: { a: 1 } } });
    const reactor = { name: 'kept', code: 'module.exports = async () => ({})', configuration: { a: 'b' } };
    await call(first, 'POST', '/reactors', { as, body: reactor });
    const settings = { deduplicate_tokens: 'true' };
    await call(first, 'PUT', '/tenants/self', { as, body: { name: 'Kept', settings } });
    const application = { name: 'kept', type: 'private', permissions: ['token:read'] };
    const { body } = await call(first, 'POST', '/applications', { as, body: application });
    await stop(first);

    const second = await start();
    expect(second.ready).toEqual({ ...first.ready, base_url: second.url, dashboard_url: expect.any(String) });
    expect(second.controlToken).toBe(first.controlToken);
    expect((await call(second, 'GET', '/tokens/kept')).body.data).toEqual({ a: 1 });
    expect((await call(second, 'GET', '/reactors', { as })).body.data).toMatchObject([reactor]);
    expect((await call(second, 'GET', '/tenants/self', { as })).body).toMatchObject({
      name: 'Kept',
      settings,
    });
    expect((await call(second, 'GET', '/applications/key', { key: body.key })).body.name).toBe('kept');
  });

  test('fixed keys for a fresh data directory; afterwards they stay', async () => {
    const keys = { management: 'fixed-m', private: 'fixed-p', public: 'fixed-u' };
    const first = await start({ keys });
    expect(first.keys).toEqual(keys);
    expect((await call(first, 'GET', '/tokens')).status).toBe(200);
    await stop(first);
    expect((await start({ keys: { private: 'other' } })).keys).toEqual(keys);
  });

  test('a key that was regenerated is the one that is printed from then on', async () => {
    const first = await start();
    const { id } = (await call(first, 'GET', '/applications/key')).body;
    const path = `/applications/${id}/regenerate`;
    const { key } = (await call(first, 'POST', path, { as })).body;
    expect((await state()).keys?.private).toBe(key);
    await stop(first);
    expect((await start()).keys.private).toBe(key);
  });

  test('a lost or damaged state file results in new keys for the same data', async () => {
    const first = await start();
    await call(first, 'POST', '/tokens', { body: { id: 'kept', type: 'token', data: 1 } });
    await stop(first);
    await writeFile(join(dataDir, 'state.json'), '{"keys":');
    const second = await start();
    expect(second.tenant_id).toBe(first.tenant_id);
    expect(second.keys.private).not.toBe(first.keys.private);
    expect((await call(second, 'GET', '/tokens/kept')).status).toBe(200);
    expect((await call(second, 'GET', '/tokens/kept', { key: first.keys.private })).status).toBe(401);
  });

  test('if the last tenant was deleted, the next start seeds a new one', async () => {
    const first = await start();
    expect((await call(first, 'DELETE', '/tenants/self', { as })).status).toBe(204);
    await stop(first);
    const second = await start();
    expect(second.tenant_id).not.toBe(first.tenant_id);
    expect(second.keys.management).not.toBe(first.keys.management);
    expect((await call(second, 'GET', '/tenants/self', { as })).status).toBe(200);
    expect((await call(second, 'GET', '/tenants/self', { key: first.keys.management })).status).toBe(401);
  });

  test('a tenant that was deleted is unknown after a start with a state file from before', async () => {
    const first = await start();
    const { tenant_id, keys } = await createTenant(first, 'Deleted');
    const before = await readFile(join(dataDir, 'state.json'));
    await call(first, 'DELETE', `/_emulator/tenants/${tenant_id}`, { control: true });
    await stop(first);
    expect((await state()).tenants).toHaveLength(1);
    await writeFile(join(dataDir, 'state.json'), before);
    const second = await start();
    expect((await call(second, 'GET', '/tenants/self', { key: keys.management })).status).toBe(401);
    expect((await state()).tenants).toEqual([expect.objectContaining({ tenant_id: first.tenant_id })]);
  });

  test('if the first tenant was deleted, the next one becomes the default', async () => {
    const first = await start();
    const other = await createTenant(first, 'Second');
    await call(first, 'DELETE', '/tenants/self', { as });
    await stop(first);
    const second = await start();
    expect(second.keys).toEqual(other.keys);
  });

  test('--memory keeps the keys and discards the data', async () => {
    const first = await start({ memory: true });
    await call(first, 'POST', '/tokens', { body: { id: 'gone', type: 'token', data: 1 } });
    await stop(first);
    const second = await start({ memory: true });
    expect([second.keys, second.tenant_id]).toEqual([first.keys, first.tenant_id]);
    expect((await call(second, 'GET', '/tokens/gone')).status).toBe(404);
  });
});

describe('cli.md, emulator start: one process per data directory', () => {
  test('a start that fails because the address is in use releases the data directory', async () => {
    const first = await start({ memory: true });
    const other = await projectDir({});
    const port = Number(new URL(first.url).port);
    await expect(startEmulator({ dataDir: other, port })).rejects.toMatchObject({ code: 'port_in_use' });
    await (await openEmulator({ dataDir: other })).close();
  });

  test.each(['127.0.0.1', 'localhost'])('without a port, a start on %s finds a free one', async (host) => {
    // Whether this or another program uses the default port does not matter.
    const holder = createServer().on('error', () => {});
    holder.listen(8787, '127.0.0.1');
    onTestFinished(() => void holder.close());
    const starts = [1, 2].map(() => startEmulator({ memory: true, host }));
    const emulators = await Promise.all(starts);
    opened.push(...emulators);
    const ports = emulators.map(({ url }) => new URL(url).port);
    expect(new Set([...ports, '8787']).size).toBe(3);
    for (const { url } of emulators) expect((await fetch(`${url}/_emulator/ready`)).status).toBe(200);
  });

  test.runIf(process.platform === 'linux')('a data directory that cannot be created is named', async () => {
    await expect(openEmulator({ dataDir: '/proc/tokenctl/data' })).rejects.toThrow(
      /ENOENT.*\/proc\/tokenctl/,
    );
  });
});

test('--header-prefix replaces SVC in all headers', async () => {
  const emulator = await start({ memory: true, headerPrefix: 'ACME' });
  const response = await fetch(`${emulator.url}/tokens`, {
    headers: { 'ACME-API-KEY': emulator.keys.private, 'ACME-TRACE-ID': 'mine' },
  });
  expect([response.status, response.headers.get('acme-trace-id')]).toEqual([200, 'mine']);
  expect((await call(emulator, 'GET', '/tokens')).status).toBe(401);
});

/** Sends requests and reads the beginning of the first answer; whether the rest is read is up to the caller. */
const connected = async ({ url, controlToken }: RunningEmulator, ...requests: string[]) => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const bytesOf = (request: string) => {
    const [line, ...more] = request.split('\n');
    const headers = ['Host: localhost', `Authorization: Bearer ${controlToken}`, ...more];
    return `${line} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`;
  };
  const send = (together: string[]) => socket.write(together.map(bytesOf).join(''));
  send(requests);
  await once(socket, 'readable');
  expect(String(socket.read(15))).toBe('HTTP/1.1 200 OK');
  return { socket, send };
};

/** An emulator whose list of tokens has 16 MB, more than the buffers of a connection hold. */
const withMuch = async () => {
  const keys = { management: 'fixed-m', private: 'fixed-p', public: 'fixed-u' };
  const emulator = await start({ memory: true, rateLimit: false, keys });
  const headers = { 'SVC-API-KEY': keys.private, 'content-type': 'application/json' };
  const body = JSON.stringify({ type: 'token', data: 'x'.repeat(4_000_000) });
  for (let i = 0; i < 4; i++) await emulator.inject({ method: 'POST', url: '/tokens', headers, body });
  return { emulator, list: 'GET /tokens\nSVC-API-KEY: fixed-p' };
};

test('close lets a client read the whole of a response that has begun', async () => {
  const { emulator, list } = await withMuch();
  const { socket } = await connected(emulator, list);
  const [answer] = await Promise.all([text(socket), stop(emulator)]);
  const [, body = ''] = answer.split('\r\n\r\n');
  expect(JSON.parse(body).data).toHaveLength(4);
});

test('close waits for no client that does not read its response, or does not send the rest of its request', async () => {
  const { emulator, list } = await withMuch();
  const url = `/${'x'.repeat(1_000_000)}`;
  for (let i = 0; i < 16; i++) await emulator.inject({ method: 'GET', url });
  for (const request of [
    list,
    'GET /_emulator/events?recent=50',
    'GET /_emulator/events?recent=50\nContent-Length: 1',
    'GET /_emulator/events\nContent-Length: 1',
  ])
    await connected(emulator, request);
  const host = 'HTTP/1.1\r\nHost: localhost\r\n';
  for (const begun of [
    'POST /tokens HTTP/1.1\r\nHost: loc',
    `POST /tokens ${host}SVC-API-KEY: fixed-p\r\nContent-Length: 5\r\n\r\n1`,
    `POST /tokens ${host}Content-Length: 5\r\n\r\n1`,
  ])
    (await connected(emulator, 'GET /_emulator/health')).socket.write(begun);
  // By the time that another request is answered these have come.
  await call(emulator, 'GET', '/tokens?size=1', { key: 'fixed-p' });
  const atLast = vi.spyOn(Server.prototype, 'closeAllConnections');
  onTestFinished(() => atLast.mockRestore());
  await stop(emulator);
  expect(atLast).not.toHaveBeenCalled();
  expect(await state()).not.toHaveProperty('base_url');
});

test('close ends an event stream that is requested while another request is being finished', async () => {
  const emulator = await start({ memory: true });
  await emulator.inject({
    method: 'POST',
    url: '/_emulator/faults',
    headers: { authorization: `Bearer ${emulator.controlToken}`, 'content-type': 'application/json' },
    body: '{"path":"/tokens","latency_ms":1500,"status":418}',
  });
  // The answer to the first says that the second has come.
  const { socket, send } = await connected(emulator, 'GET /_emulator/health', 'GET /tokens');
  const stopped = stop(emulator);
  send(['GET /_emulator/events']);
  expect(await text(socket)).toContain('HTTP/1.1 418');
  await stopped;
});

test('tenants lost to damage come back under their keys, with the tokens that could be read', async () => {
  const first = await start();
  await call(first, 'POST', '/tokens', { body: { type: 'token', data: 'kept', id: 'kept-token' } });
  await stop(first);
  const path = join(dataDir, 'journal/00000001.jsonl');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replaceAll('"put":"tenants"', '"put":"Tenants"'));
  await expect(start()).rejects.toThrow(/00000001\.jsonl/);
  await checkDataDir(dataDir, { repair: true });
  const again = await start();
  expect(again.keys).toEqual(first.keys);
  const { status, body } = await call(again, 'GET', '/tokens/kept-token');
  expect([status, body.data]).toEqual([200, 'kept']);
});

test.each([
  [{ port: 99_999 }, 'The option port must be an integer from 0 to 65535.'],
  [{ port: Number.NaN }, 'The option port must be an integer from 0 to 65535.'],
  [{ host: '' }, 'The option host must be a host name or an IP address.'],
  [{ publicUrl: 'vault.example' }, 'The option publicUrl must be an http or https URL'],
  [{ statementTimeoutMs: 0 }, 'The option statementTimeoutMs must be a number greater than 0.'],
  [{ durability: 'none' }, 'The option durability must be "sync" or "os".'],
  [{ headerPrefix: 'A B' }, 'The option headerPrefix must consist of letters, digits, - and _'],
  [{ rateLimitScale: -1 }, 'The option rateLimitScale must be a number greater than 0.'],
  [{ clock: Number.NaN }, 'The option clock must be a time in milliseconds since 1970.'],
  [{ clock: new Date() }, 'The option clock must be a time in milliseconds since 1970.'],
  [
    { includedMonthlyTokens: -5 },
    'The option includedMonthlyTokens must be an integer that is not negative.',
  ],
  [{ reactorRuntime: 'deno' }, 'The option reactorRuntime must be "quickjs" or "node".'],
  [{ allowOrigins: ['*'] }, 'The option allowOrigins must be an array; each item must be an origin such as'],
  [{ otlpEndpoint: '127.0.0.1:4318' }, 'The option otlpEndpoint must be an http or https URL'],
])('startEmulator rejects %j, naming the option and what it accepts', async (options, message) => {
  const error = await startEmulator({ port: 0, ...(options as EmulatorOptions) }).catch((cause) => cause);
  expect(error).toBeInstanceOf(StartError);
  expect(error.code).toBe('invalid_option');
  expect(error.message).toContain(message);
});
