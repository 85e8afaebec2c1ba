import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../../../src/contract/limits.js';
import { idsIn, refusal, useServer } from '../../../support/test-server.js';

const server = useServer();
const as = 'management';
const create = (body: object) =>
  server.post('/applications', { name: 'shop', type: 'private', ...body }, { as });
const rule = { priority: 1, container: '/', transform: 'mask', permissions: ['token:read'] };

describe('decisions.md, Applications', () => {
  test('the key of an application is in no list and no entry of the audit log', async () => {
    const { key } = (await create({ permissions: ['token:create'] })).body;
    expect(key).toMatch(/^key_[1-9A-HJ-NP-Za-km-z]{40,}$/);
    for (const path of ['/applications', '/logs'])
      expect(JSON.stringify((await server.get(path, { as })).body)).not.toContain(key);
  });

  test.each([
    ['neither permissions nor rules', {}, 'permissions'],
    ['an unknown permission', { permissions: ['token:all'] }, 'permissions.0'],
    ['an unknown type', { type: 'admin', permissions: [] }, 'type'],
  ])('%s is 400', async (_what, body, path) => {
    expect(refusal(await create(body))).toEqual([400, [path]]);
  });

  test.each([
    ['public', 'token:read'],
    ['public', 'reactor:read'],
    ['private', 'reactor:read'],
    ['management', 'token:read'],
    ['management', 'token:use'],
  ])('a %s application may not hold %s, directly or by a rule', async (type, permission) => {
    const direct = await create({ type, permissions: [permission] });
    expect(refusal(direct)).toEqual([400, ['permissions.0']]);
    const ruled = await create({ type, rules: [{ ...rule, permissions: [permission] }] });
    expect(refusal(ruled)).toEqual([400, ['rules.0.permissions.0']]);
  });

  test('applications are listed newest first, by pages, and by ids in either case', async () => {
    const one = (await create({ permissions: [] })).body;
    await server.emulator.clock.advance(10);
    const two = (await create({ permissions: [] })).body;
    expect(idsIn(await server.get('/applications?size=2', { as }))).toEqual([two.id, one.id]);
    const ids = await server.get(`/applications?id=${one.id}&id=${two.id.toUpperCase()}`, { as });
    expect(ids.body.pagination.total_items).toBe(2);
  });
});

async function application(body: object = {}) {
  const given = { name: 'shop', type: 'public', permissions: ['token:create'], ...body };
  return (await server.post('/applications', given, { as })).body;
}

const addKey = async (id: string, body?: object) =>
  (await server.post(`/applications/${id}/keys`, body, { as })).body;
const statusWith = async (key: string) => (await server.get('/applications/key', { key })).status;

describe('decisions.md, Newer generation: several keys per application', () => {
  test('a key stops working at its expiry, and is then neither listed nor counted', async () => {
    const { id } = await application();
    const { key, id: keyId } = await addKey(id, {
      expires_at: new Date(server.emulator.clock.now() + 60_000).toISOString(),
    });
    expect(await statusWith(key)).toBe(200);
    await server.emulator.clock.advance(60_000);
    expect(await statusWith(key)).toBe(401);
    expect((await server.get(`/applications/${id}/keys/${keyId}`, { as })).status).toBe(404);
    expect((await server.get(`/applications/${id}/keys`, { as })).body).toHaveLength(1);
  });

  test('a key says in which hour, by the clock of its tenant, it was last used; an entry per hour', async () => {
    const { id, key } = await application();
    const lastUse = async () =>
      (await server.get(`/applications/${id}/keys/${id}`, { as })).body.last_used_at;
    expect(await lastUse()).toBe(undefined);
    const hour = () => `${new Date(server.emulator.clock.now()).toISOString().slice(0, 13)}:00:00.000Z`;
    expect(await statusWith(key)).toBe(200);
    const used = hour();
    expect(await lastUse()).toBe(used);
    await server.emulator.clock.advance(5 * 3_600_000);
    expect(await lastUse()).toBe(used);
    expect(await statusWith(key)).toBe(200);
    const [listed] = (await server.get(`/applications/${id}/keys`, { as })).body;
    expect(listed.last_used_at).toBe(hour());
  });

  test('create_key: false creates an application without a key', async () => {
    const created = await application({ create_key: false });
    expect(created).not.toHaveProperty('key');
    expect((await server.get(`/applications/${created.id}/keys`, { as })).body).toEqual([]);
    const { key } = await addKey(created.id);
    expect(await statusWith(key)).toBe(200);
  });

  test('an application has a bounded number of keys', async () => {
    const { id } = await application();
    for (let count = 1; count < LIMITS.applicationKeys; count++) await addKey(id);
    const refused = await server.post(`/applications/${id}/keys`, undefined, { as });
    expect(refusal(refused)).toEqual([400, ['keys']]);
    expect((await server.get(`/applications/${id}/keys`, { as })).body).toHaveLength(LIMITS.applicationKeys);
  });

  test('regenerate ends all keys', async () => {
    const { id, key } = await application();
    const { key: second } = await addKey(id);
    const { body } = await server.call('POST', `/applications/${id}/regenerate`, { as });
    expect([await statusWith(key), await statusWith(second), await statusWith(body.key)]).toEqual([
      401, 401, 200,
    ]);
  });

  test('the log says that keys changed, and contains none', async () => {
    const { id } = await application();
    const { key } = await addKey(id);
    const { body } = await server.get(`/logs?entity_id=${id}&operation=update`, { as });
    expect(body.data[0].changed).toEqual(['keys']);
    expect(JSON.stringify((await server.get('/logs?size=100', { as })).body)).not.toContain(key);
  });
});
