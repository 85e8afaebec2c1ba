import { describe, expect, test } from 'vitest';
import { permissionsOfType } from '../../../../src/contract/permissions.js';
import { useServer } from '../../../support/test-server.js';

const server = useServer();
const as = 'management';
const create = (body: object) =>
  server.post('/applications', { name: 'shop', type: 'private', ...body }, { as });

describe('decisions.md, Applications', () => {
  test('the key appears only in the response to its creation', async () => {
    const { status, body } = await create({ permissions: ['token:create'] });
    expect(status).toBe(201);
    const { key, ...shown } = body;
    expect(key).toMatch(/^key_[1-9A-HJ-NP-Za-km-z]{40,}$/);
    expect(shown).toEqual({
      id: expect.any(String),
      tenant_id: server.emulator.tenant_id,
      name: 'shop',
      type: 'private',
      permissions: ['token:create'],
      created_by: expect.any(String),
      created_at: expect.any(String),
    });
    expect((await server.get(`/applications/${body.id}`, { as })).body).toEqual(shown);
    const own = (await server.get('/applications/key', { key })).body;
    expect(own).toEqual({ ...shown, key_id: body.id });
    expect(JSON.stringify((await server.get('/applications', { as })).body)).not.toContain(key);
    expect(JSON.stringify((await server.get('/logs', { as })).body)).not.toContain(key);
  });

  test('an update changes the name and replaces permissions with rules; the type stays', async () => {
    const { body } = await create({ permissions: ['token:create'] });
    const rule = {
      description: 'Cards',
      priority: 1,
      container: '/PCI/',
      transform: 'mask',
      permissions: ['token:read'],
    };
    const updated = await server.put(`/applications/${body.id}`, { name: 'till', rules: [rule] }, { as });
    expect(updated.status).toBe(200);
    expect(updated.body).toMatchObject({
      name: 'till',
      type: 'private',
      rules: [{ ...rule, container: '/pci/' }],
    });
    expect(updated.body).not.toHaveProperty('permissions');
    expect(updated.body).toMatchObject({ modified_by: expect.any(String), modified_at: expect.any(String) });
    expect(
      (await server.put(`/applications/${body.id}`, { name: 'x', type: 'public', rules: [rule] }, { as }))
        .status,
    ).toBe(400);
  });

  test.each([
    ['neither permissions nor rules', {}, 'permissions'],
    ['both', { permissions: [], rules: [] }, 'permissions'],
    ['an unknown permission', { permissions: ['token:all'] }, 'permissions.0'],
    ['an unknown type', { type: 'admin', permissions: [] }, 'type'],
    [
      'a container without slashes',
      { rules: [{ priority: 1, container: 'pci', transform: 'mask', permissions: ['token:read'] }] },
      'rules.0.container',
    ],
    [
      'an unknown transform',
      { rules: [{ priority: 1, container: '/', transform: 'show', permissions: ['token:read'] }] },
      'rules.0.transform',
    ],
    [
      'a rule without permissions',
      { rules: [{ priority: 1, container: '/', transform: 'mask', permissions: [] }] },
      'rules.0.permissions',
    ],
  ])('%s is 400', async (_what, body, path) => {
    const answer = await create(body);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, [path]]);
  });

  test.each([
    ['public', 'token:read'],
    ['public', 'reactor:read'],
    ['private', 'reactor:read'],
    ['management', 'token:read'],
    ['management', 'token:use'],
  ])('a %s application may not hold %s', async (type, permission) => {
    const direct = await create({ type, permissions: [permission] });
    expect([direct.status, Object.keys(direct.body.errors)]).toEqual([400, ['permissions.0']]);
    const rules = [{ priority: 1, container: '/', transform: 'mask', permissions: [permission] }];
    const ruled = await create({ type, rules });
    expect([ruled.status, Object.keys(ruled.body.errors)]).toEqual([400, ['rules.0.permissions.0']]);
  });

  test.each(['public', 'private', 'management'] as const)(
    'a %s application may hold all of its own',
    async (type) => {
      expect((await create({ type, permissions: permissionsOfType(type) })).status).toBe(201);
    },
  );

  test('an answer lists the properties in the order of the contract, before an update and after it', async () => {
    const permissions = ['token:read'];
    const { body } = await create({ permissions });
    const updated = await server.put(`/applications/${body.id}`, { name: 'till', permissions }, { as });
    const created = ['id', 'tenant_id', 'name', 'type', 'permissions', 'created_by', 'created_at'];
    expect(Object.keys(body)).toEqual([...created, 'key']);
    expect(Object.keys(updated.body)).toEqual([...created, 'modified_by', 'modified_at']);
  });

  test('the type is checked on update too', async () => {
    const { body } = await create({ type: 'public', permissions: ['token:create'] });
    const answer = await server.put(
      `/applications/${body.id}`,
      { name: 'x', permissions: ['token:read'] },
      { as },
    );
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ['permissions.0']]);
  });

  test('regenerate: 200 with a new key, the old one is 401', async () => {
    const { body } = await create({ permissions: ['token:read'] });
    const renewed = await server.call('POST', `/applications/${body.id}/regenerate`, { as });
    expect(renewed.status).toBe(200);
    expect(renewed.body).toMatchObject({ id: body.id, key: expect.stringMatching(/^key_/) });
    expect((await server.get('/tokens', { key: body.key })).status).toBe(401);
    expect((await server.get('/tokens', { key: renewed.body.key })).status).toBe(200);
  });

  test('a deleted application: 404, its key 401', async () => {
    const { body } = await create({ permissions: ['token:read'] });
    expect((await server.delete(`/applications/${body.id}`, { as })).status).toBe(204);
    expect((await server.get('/tokens', { key: body.key })).status).toBe(401);
    expect((await server.get(`/applications/${body.id}`, { as })).status).toBe(404);
    expect((await server.delete(`/applications/${body.id}`, { as })).status).toBe(404);
  });

  test('list: newest first, by pages, by ids', async () => {
    const one = (await create({ permissions: [] })).body;
    await server.emulator.clock.advance(10);
    const two = (await create({ permissions: [] })).body;
    const page = (await server.get('/applications?size=2', { as })).body;
    expect(page.data.map(({ id }: { id: string }) => id)).toEqual([two.id, one.id]);
    expect(page.pagination).toMatchObject({ page_number: 1, page_size: 2 });
    const ids = (await server.get(`/applications?id=${one.id}&id=${two.id.toUpperCase()}`, { as })).body;
    expect(ids.pagination.total_items).toBe(2);
    expect((await server.get('/applications?id=shop', { as })).status).toBe(400);
  });
});

describe('GET /permissions', () => {
  test('application_type lists the permissions that applications of the type may hold', async () => {
    const { body } = await server.get('/permissions?application_type=private');
    expect(body.map(({ type }: { type: string }) => type)).toEqual(permissionsOfType('private'));
  });

  test.each(['public', 'private', 'management'] as const)('takes a %s key', async (type) => {
    const { status, body } = await server.get('/permissions', { as: type });
    expect(status).toBe(200);
    expect(body).toContainEqual({
      type: 'token:use',
      description: expect.any(String),
      application_types: ['private'],
    });
  });
});
