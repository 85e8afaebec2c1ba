import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tokenctl } from '../../../support/executable.js';
import { useServer } from '../../../support/test-server.js';

/** decisions.md, "Safety of people": a rotation ends the key that it replaces, when it says, and no other. */

const server = useServer();
const as = 'management';
let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'rotate-'));
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

const run = (...args: string[]) =>
  tokenctl([...args, '-o', 'json'], {
    cwd,
    env: {
      TOKENCTL_BASE_URL: server.emulator.url,
      TOKENCTL_API_KEY: server.emulator.keys.management,
    },
  });

async function application(name: string): Promise<{ id: string; key: string }> {
  const body = { name, type: 'private', permissions: ['token:read'] };
  return (await server.post('/applications', body, { as })).body;
}

const keysOf = async (id: string) => (await server.get(`/applications/${id}/keys`, { as })).body;
const statusWith = async (key: string) => (await server.get('/applications/key', { key })).status;

test('the replaced key ends by itself, and one that was not named stays', async () => {
  const { id, key: first } = await application('shop');
  const { body: parallel } = await server.post(`/applications/${id}/keys`, { name: 'batch' }, { as });
  const ambiguous = await run('application', 'key', 'rotate', 'shop', '--overlap', '1h');
  expect(ambiguous.code).toBe(2);
  for (const part of ['--key', id, first.slice(-4), parallel.id]) expect(ambiguous.stderr).toContain(part);
  expect(await keysOf(id)).toHaveLength(2);

  const rotated = await run(
    'application',
    'key',
    'rotate',
    'shop',
    '--overlap',
    '1h',
    '--key',
    first.slice(-4),
  );
  expect(rotated.code).toBe(0);
  const { key: second } = JSON.parse(rotated.stdout);
  expect(await Promise.all([first, parallel.key, second].map(statusWith))).toEqual([200, 200, 200]);
  await server.emulator.clock.advance(3_600_000);
  expect(await Promise.all([first, parallel.key, second].map(statusWith))).toEqual([401, 200, 200]);
});

test('on a service without the endpoint, it says that nothing ends the old key, and how to', async () => {
  const { id } = await application('old-service');
  const control = (method: string, body?: object) =>
    fetch(`${server.emulator.url}/_emulator/faults`, {
      method,
      headers: {
        authorization: `Bearer ${server.emulator.controlToken}`,
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  expect((await control('POST', { operation: 'applications.keys.update', status: 405 })).status).toBe(201);
  try {
    const rotated = await run('application', 'key', 'rotate', 'old-service', '--overlap', '24h');
    expect(rotated.code).toBe(0);
    expect(rotated.stderr).toContain('nothing ends the key');
    expect(rotated.stderr).toContain(`tokenctl application key delete old-service ${id}`);
    expect(await keysOf(id)).toHaveLength(2);
  } finally {
    await control('DELETE');
  }
});

test('a key has the last four characters and a name, and auth status names the one in use', async () => {
  const { id, key } = await application('named');
  await run('application', 'key', 'create', 'named', '--name', 'checkout');
  const [first, second] = await keysOf(id);
  expect(first).toMatchObject({ id, last4: key.slice(-4) });
  expect(second).toMatchObject({ name: 'checkout', last4: expect.stringMatching(/^.{4}$/) });
  const listed = JSON.parse((await run('application', 'key', 'list', 'management')).stdout).data;
  expect(listed).toMatchObject([{ last4: server.emulator.keys.management.slice(-4) }]);
  const status = JSON.parse((await run('auth', 'status')).stdout);
  expect(status.keys).toMatchObject([{ key_id: listed[0].id }]);
});

test('a command asks before the key that it uses ends', async () => {
  const own = (await server.get('/applications/key', { as })).body;
  for (const args of [
    ['application', 'key', 'rotate', 'management', '--overlap', '24h'],
    ['application', 'key', 'update', 'management', own.key_id, '--expires', '1h'],
    ['api', 'PUT', `/applications/${own.id}/keys/${own.key_id}`, '--data', '{"expires_at":"2099-01-01"}'],
  ]) {
    const refused = await run(...args, '--yes');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--confirm=management')]);
  }
  expect(await keysOf(own.id)).toEqual([expect.not.objectContaining({ expires_at: expect.anything() })]);
});

test('a second application of the same name is refused unless it is wanted', async () => {
  const { id } = await application('twin');
  const create = [
    'application',
    'create',
    '--name',
    'twin',
    '--type',
    'private',
    '--permission',
    'token:read',
  ];
  const refused = await run(...create);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(id)]);
  const { id: second } = JSON.parse((await run(...create, '--allow-duplicate-name')).stdout);
  const ambiguous = await run('application', 'get', 'twin');
  for (const part of [id, second, 'tokenctl application list --wide'])
    expect(ambiguous.stderr).toContain(part);
});

test('a misspelt type of an application is a usage error that names the right one', async () => {
  const refused = await run('application', 'create', '--name', 'x', '--type', 'privat');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain(
    '--type must be one of public, private, management. Did you mean private?',
  );
});
