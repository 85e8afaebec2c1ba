import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { tokenctl } from '../../../support/executable.js';
import { controlOf, useServer } from '../../../support/test-server.js';

/** decisions.md, "Safety of people": a rotation ends the key that it replaces, when it says, and no other. */

const server = useServer();
const as = 'management';

const run = (line: string) => {
  const { url, keys } = server.emulator;
  const env = { TOKENCTL_BASE_URL: url, TOKENCTL_API_KEY: keys.management };
  return tokenctl(`${line} -o json`, { cwd: tmpdir(), env });
};

async function application(name: string): Promise<{ id: string; key: string }> {
  const body = { name, type: 'private', permissions: ['token:read'] };
  return (await server.post('/applications', body, { as })).body;
}

const keysOf = async (id: string) => (await server.get(`/applications/${id}/keys`, { as })).body;
const statusWith = async (key: string) => (await server.get('/applications/key', { key })).status;

test('the replaced key ends by itself, and one that was not named stays', async () => {
  const { id, key: first } = await application('shop');
  const { body: parallel } = await server.post(`/applications/${id}/keys`, { name: 'batch' }, { as });
  const ambiguous = await run('application key rotate shop --overlap 1h');
  expect(ambiguous.code).toBe(2);
  for (const part of ['--key', id, first.slice(-4), parallel.id]) expect(ambiguous.stderr).toContain(part);
  expect(await keysOf(id)).toHaveLength(2);

  const rotated = await run(`application key rotate shop --overlap 1h --key ${first.slice(-4)}`);
  expect(rotated.code).toBe(0);
  const keys = [first, parallel.key, rotated.json.key];
  expect(await Promise.all(keys.map(statusWith))).toEqual([200, 200, 200]);
  await server.emulator.clock.advance(3_600_000);
  expect(await Promise.all(keys.map(statusWith))).toEqual([401, 200, 200]);
});

test('on a service without the endpoint, it says that nothing ends the old key, and how to', async () => {
  const { id } = await application('old-service');
  const control = controlOf(server);
  await control.post('/faults', { operation: 'applications.keys.update', status: 405 });
  try {
    const rotated = await run('application key rotate old-service --overlap 24h');
    expect(rotated.code).toBe(0);
    expect(rotated.stderr).toContain('nothing ends the key');
    expect(rotated.stderr).toContain(`tokenctl application key delete old-service ${id}`);
    expect(await keysOf(id)).toHaveLength(2);
  } finally {
    await control.delete('/faults');
  }
});

test('a key has the last four characters and a name, and auth status names the one in use', async () => {
  const { id, key } = await application('named');
  await run('application key create named --name checkout');
  const [first, second] = await keysOf(id);
  expect(first).toMatchObject({ id, last4: key.slice(-4) });
  expect(second).toMatchObject({ name: 'checkout', last4: expect.stringMatching(/^.{4}$/) });
  const listed = (await run('application key list management')).json.data;
  expect(listed).toMatchObject([{ last4: server.emulator.keys.management.slice(-4) }]);
  const status = (await run('auth status')).json;
  expect(status.keys).toMatchObject([{ key_id: listed[0].id }]);
});

test('a command asks before the key that it uses ends', async () => {
  const own = (await server.get('/applications/key', { as })).body;
  for (const line of [
    'application key rotate management --overlap 24h',
    `application key update management ${own.key_id} --expires 1h`,
    `api PUT /applications/${own.id}/keys/${own.key_id} --data '{"expires_at":"2099-01-01"}'`,
  ])
    expect(await run(`${line} --yes`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--confirm=management'),
    });
  expect(await keysOf(own.id)).toEqual([expect.not.objectContaining({ expires_at: expect.anything() })]);
});

test('a second application of the same name is refused unless it is wanted', async () => {
  const { id } = await application('twin');
  const create = 'application create --name twin --type private --permission token:read';
  expect(await run(create)).toMatchObject({ code: 1, stderr: expect.stringContaining(id) });
  const { id: second } = (await run(`${create} --allow-duplicate-name`)).json;
  const ambiguous = await run('application get twin');
  for (const part of [id, second, 'tokenctl application list --wide'])
    expect(ambiguous.stderr).toContain(part);
});
