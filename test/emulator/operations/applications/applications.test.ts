import { describe, expect, test } from 'vitest';
import { APPLICATION_TYPES } from '../../../../src/contract/application-types.js';
import { permissionsOfType } from '../../../../src/contract/permissions.js';
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
    ['a container without slashes', { rules: [{ ...rule, container: 'pci' }] }, 'rules.0.container'],
    ['an unknown transform', { rules: [{ ...rule, transform: 'show' }] }, 'rules.0.transform'],
    ['a rule without permissions', { rules: [{ ...rule, permissions: [] }] }, 'rules.0.permissions'],
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

  test.each(APPLICATION_TYPES)('a %s application may hold all permissions of its type', async (type) => {
    expect((await create({ type, permissions: permissionsOfType(type) })).status).toBe(201);
    const { body } = await server.get(`/permissions?application_type=${type}`, { as: type });
    expect(body.map((one: { type: string }) => one.type)).toEqual(permissionsOfType(type));
  });

  test('an answer lists the properties in the order of the contract, before an update and after it', async () => {
    const permissions = ['token:read'];
    const { body } = await create({ permissions });
    const updated = await server.put(`/applications/${body.id}`, { name: 'till', permissions }, { as });
    const created = ['id', 'tenant_id', 'name', 'type', 'permissions', 'created_by', 'created_at'];
    expect(Object.keys(body)).toEqual([...created, 'key']);
    expect(Object.keys(updated.body)).toEqual([...created, 'modified_by', 'modified_at']);
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
