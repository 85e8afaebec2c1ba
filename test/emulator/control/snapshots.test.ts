import { describe, expect, test } from 'vitest';
import type { TenantFile } from '../../../emulator/services/tenant-file.js';
import { controlOf, useServer } from '../../support/test-server.js';

const server = useServer();
const control = controlOf(server);
const as = 'management';

const createToken = (id: string) => server.post('/tokens', { id, type: 'token', data: `data of ${id}` });
const statusOf = async (id: string) => (await server.get(`/tokens/${id}`)).status;

test('a snapshot can be restored again and again, also after a reset; changes do not change it', async () => {
  await control.post('/reset');
  const id = 'changed';
  await server.post('/tokens', { id, type: 'token', data: 'before', metadata: { a: '1' } });
  await control.post('/snapshots', { name: 'before' });
  const before = (await server.get(`/tokens/${id}`)).body;
  await control.post('/reset');
  expect(await statusOf(id)).toBe(404);
  for (let i = 0; i < 3; i += 1) {
    expect((await control.post('/snapshots/before/restore')).status).toBe(204);
    expect((await server.get(`/tokens/${id}`)).body).toEqual(before);
    await server.patch(`/tokens/${id}`, { data: 'after', metadata: { a: '2', b: '3' } });
  }
});

test('a snapshot that is saved again under the same name replaces the first', async () => {
  await control.post('/reset');
  for (const id of ['one', 'two']) {
    await createToken(id);
    await control.post('/snapshots', { name: 'twice' });
    await control.post('/snapshots/twice/restore');
  }
  expect([await statusOf('one'), await statusOf('two')]).toEqual([200, 200]);
});

test('the log is that of the snapshot even if another was restored just before', async () => {
  const total = async () => (await server.get('/logs', { as })).body.pagination.total_items;
  await control.post('/reset');
  await control.post('/snapshots', { name: 'empty' });
  await createToken('logged');
  await control.post('/snapshots', { name: 'logged' });
  for (const name of ['logged', 'empty']) await control.post(`/snapshots/${name}/restore`);
  expect(await total()).toBe(0);
  for (const name of ['empty', 'logged']) await control.post(`/snapshots/${name}/restore`);
  expect(await total()).toBe(1);
});

test('snapshots are listed by name; an unknown one is 404, a name with a slash 400', async () => {
  await control.post('/snapshots', { name: 'b' });
  await control.post('/snapshots', { name: 'a' });
  const { body } = await control.get('/snapshots');
  const names = body.snapshots.map(({ name }: { name: string }) => name);
  expect(names).toEqual(names.toSorted());
  expect(names).toContain('a');
  expect((await control.post('/snapshots/nothing/restore')).status).toBe(404);
  expect((await control.post('/snapshots', { name: '../../x' })).status).toBe(400);
});

const NOBODY = '00000000-0000-4000-8000-000000000000';
const path = () => `/tenants/${server.emulator.ready.tenant_id}/file`;

describe('a tenant exported as one JSON file', () => {
  test('is imported and exported again as the same text', async () => {
    await control.post('/reset');
    await server.post('/tokens', { id: 'card', type: 'card', data: { number: '4242424242424242' } });
    const out = await control.get(path());
    expect(out.body.tokens).toMatchObject([{ id: 'card', data: { number: '4242424242424242' } }]);
    await server.delete('/tokens/card');
    await createToken('other');
    expect((await control.put('/tenants/file', out.body)).status).toBe(204);
    expect([await statusOf('card'), await statusOf('other')]).toEqual([200, 404]);
    expect((await control.get(path())).body).toEqual(out.body);
  });

  test('may hold more values than the body of a request', async () => {
    await control.post('/reset');
    const data = Array.from({ length: 60_000 }, (_, index) => index);
    for (const id of ['long-1', 'long-2']) await server.token({ id, type: 'token', data });
    const out = await control.get(path());
    expect((await control.put('/tenants/file', out.body)).status).toBe(204);
    expect((await control.get(path())).body).toEqual(out.body);
  });

  test.each([
    ['a token twice', (file: TenantFile) => ({ tokens: [...file.tokens, ...file.tokens] }), 'tokens'],
    [
      'the keys of another tenant',
      (file: TenantFile) => {
        const tenant_id = crypto.randomUUID();
        const applications = file.applications.map((one) => ({ ...one, tenant_id }));
        return { tenant: { ...file.tenant, id: tenant_id }, applications, tokens: [], settings: [] };
      },
      'applications',
    ],
    ['a setting of another tenant', () => ({ settings: [{ id: 'seeded:other', value: {} }] }), 'settings'],
  ] as const)('a file with %s is refused by name', async (_what, change, collection) => {
    await createToken('twice');
    const { body } = await control.get(path());
    const refused = await control.put('/tenants/file', { ...body, ...change(body) });
    expect([refused.status, refused.body.errors?.tenant_file[0]]).toEqual([
      400,
      expect.stringContaining(`${collection}: `),
    ]);
    expect((await control.get(path())).body).toEqual(body);
  });

  test.each<[what: string, record: 'tokens' | 'applications' | 'tenant', change: object, path: string]>([
    ['an id that no token may have', 'tokens', { id: 'a#b' }, 'tokens.0.id '],
    ['a container that is not a path', 'tokens', { containers: ['pci'] }, 'tokens.0.containers.0 '],
    ['no container', 'tokens', { containers: [] }, 'tokens.0.containers '],
    ['containers that are missing', 'tokens', { containers: undefined }, 'containers'],
    ['data that its type bars', 'tokens', { type: 'card', data: { number: '4' } }, 'tokens.0.data.number '],
    ['data null', 'tokens', { data: null }, 'tokens.0.data '],
    ['an unknown type', 'tokens', { type: 'unknown' }, 'type'],
    ['a time that is none', 'tokens', { created_at: 'soon' }, 'created_at'],
    ['metadata that are no strings', 'tokens', { metadata: { k: 1 } }, 'metadata'],
    ['a token of another tenant', 'tokens', { tenant_id: NOBODY }, 'tenant_id'],
    ['an unknown filter', 'tokens', { mask: { a: '{{ data | hide }}' } }, 'tokens.0.mask.a '],
    ['an unknown variable', 'tokens', { search_indexes: ['{{ date }}'] }, 'tokens.0.search_indexes.0 '],
    ['a broken fingerprint', 'tokens', { fingerprint_expression: '{{' }, 'tokens.0.fingerprint_expression '],
    ['an unknown permission', 'applications', { permissions: ['all'] }, 'applications.0.permissions.0 '],
    ['no settings', 'tenant', { settings: undefined }, 'tenant.settings '],
  ])('what the service would not accept is refused by path: %s', async (_what, record, change, message) => {
    await createToken('invalid');
    const before = (await control.get(path())).body;
    const file = structuredClone(before);
    Object.assign(record === 'tenant' ? file.tenant : file[record][0], change);
    const refused = await control.put('/tenants/file', file);
    expect([refused.status, refused.body.errors?.tenant_file[0]]).toEqual([
      400,
      expect.stringContaining(message),
    ]);
    expect((await control.get(path())).body).toEqual(before);
  });

  test('a token whose data changed after its mask was accepted is imported', async () => {
    await control.post('/reset');
    const card = { number: '4242424242424242', cvc: '123' };
    await server.token({ id: 'cvc', type: 'card', data: card, mask: "{{ data | json: '$.cvc' }}" });
    await control.put('/clock', { advance: '2h' });
    await expect.poll(async () => (await control.get(path())).body.tokens[0].data).not.toHaveProperty('cvc');
    const out = await control.get(path());
    expect((await control.put('/tenants/file', out.body)).status).toBe(204);
    await control.put('/clock', { reset: true });
  });

  test('another file is refused, and an unknown tenant has none', async () => {
    expect((await control.put('/tenants/file', { tokens: [] })).status).toBe(400);
    expect((await control.get(`/tenants/${NOBODY}/file`)).status).toBe(404);
  });
});
