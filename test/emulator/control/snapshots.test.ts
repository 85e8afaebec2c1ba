import { describe, expect, test } from 'vitest';
import type { TenantFile } from '../../../emulator/services/tenant-file.js';
import { controlOf } from '../../support/control.js';
import { useServer } from '../../support/test-server.js';

const server = useServer();
const control = controlOf(server);
const as = 'management';

const createToken = (id: string) => server.post('/tokens', { id, type: 'token', data: `data of ${id}` });
const statusOf = async (id: string) => (await server.get(`/tokens/${id}`)).status;

describe('snapshots', () => {
  test('a restored snapshot holds the saved data, and the printed keys work', async () => {
    await createToken('kept');
    await server.post(
      '/reactors',
      { name: 'r', code: 'module.exports = async () => ({})', configuration: {} },
      { as },
    );
    const saved = await control.post('/snapshots', { name: 'first' });
    expect([saved.status, saved.body]).toEqual([
      201,
      { name: 'first', created_at: expect.any(String), tokens: 1 },
    ]);
    await server.delete('/tokens/kept');
    await createToken('later');
    expect((await control.post('/snapshots/first/restore')).status).toBe(204);
    expect([await statusOf('kept'), await statusOf('later')]).toEqual([200, 404]);
    expect((await server.get('/tokens/kept')).body.data).toBe('data of kept');
    expect((await server.get('/reactors', { as })).body.pagination.total_items).toBe(1);
    const logOf = async (id: string) =>
      (await server.get(`/logs?entity_type=token&entity_id=${id}`, { as })).body.data.length;
    expect([(await logOf('kept')) > 0, await logOf('later')]).toEqual([true, 0]);
  });

  test('a snapshot can be restored again, and after a reset', async () => {
    await control.post('/reset');
    await createToken('again');
    await control.post('/snapshots', { name: 'again' });
    await control.post('/reset');
    expect(await statusOf('again')).toBe(404);
    for (let i = 0; i < 2; i += 1) {
      expect((await control.post('/snapshots/again/restore')).status).toBe(204);
      expect(await statusOf('again')).toBe(200);
      await server.delete('/tokens/again');
    }
  });

  test('changes to restored data do not change the snapshot', async () => {
    await control.post('/reset');
    const id = 'changed';
    await server.post('/tokens', { id, type: 'token', data: 'before', metadata: { a: '1' } });
    await control.post('/snapshots', { name: 'before' });
    const before = (await server.get(`/tokens/${id}`)).body;
    for (let i = 0; i < 3; i += 1) {
      await control.post('/snapshots/before/restore');
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
    expect(body.snapshots.map(({ name }: { name: string }) => name).slice(0, 2)).toEqual(['a', 'again']);
    expect((await control.post('/snapshots/nothing/restore')).status).toBe(404);
    expect((await control.post('/snapshots', { name: '../../x' })).status).toBe(400);
  });
});

/** The records of a tenant file that a test changes. */
interface Records {
  tenant: TenantFile['tenant'];
  token: TenantFile['tokens'][number];
  application: TenantFile['applications'][number];
}

describe('a tenant exported as one JSON file', () => {
  test('is imported and exported again as the same text', async () => {
    await control.post('/reset');
    await server.post('/tokens', { id: 'card', type: 'card', data: { number: '4242424242424242' } });
    const path = `/tenants/${server.emulator.ready.tenant_id}/file`;
    const out = await control.get(path);
    expect(out.body.tokens).toMatchObject([{ id: 'card', data: { number: '4242424242424242' } }]);
    await server.delete('/tokens/card');
    await createToken('other');
    expect((await control.put('/tenants/file', out.body)).status).toBe(204);
    expect([await statusOf('card'), await statusOf('other')]).toEqual([200, 404]);
    expect((await control.get(path)).body).toEqual(out.body);
  });

  test('may hold more values than the body of a request', async () => {
    await control.post('/reset');
    const data = Array.from({ length: 60_000 }, (_, index) => index);
    for (const id of ['long-1', 'long-2']) await server.token({ id, type: 'token', data });
    const path = `/tenants/${server.emulator.ready.tenant_id}/file`;
    const out = await control.get(path);
    expect((await control.put('/tenants/file', out.body)).status).toBe(204);
    expect((await control.get(path)).body).toEqual(out.body);
  });

  test('parts that files of earlier versions lack may be absent', async () => {
    const path = `/tenants/${server.emulator.ready.tenant_id}/file`;
    const { proxies, webhooks, settings, ...earlier } = (await control.get(path)).body;
    expect([proxies, webhooks, settings.length]).toEqual([[], [], 1]);
    expect((await control.put('/tenants/file', earlier)).status).toBe(204);
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
    const { body } = await control.get(`/tenants/${server.emulator.ready.tenant_id}/file`);
    const refused = await control.put('/tenants/file', { ...body, ...change(body) });
    expect([refused.status, refused.body.errors?.tenant_file[0]]).toEqual([
      400,
      expect.stringContaining(`${collection}: `),
    ]);
    expect((await control.get(`/tenants/${server.emulator.ready.tenant_id}/file`)).body).toEqual(body);
  });

  test.each<[what: string, change: (file: Records) => void, message: string]>([
    ['an id that no token may have', ({ token }) => Object.assign(token, { id: 'a#b' }), 'tokens.0.id '],
    [
      'a container that is not a path',
      ({ token }) => Object.assign(token, { containers: ['pci'] }),
      'tokens.0.containers.0 ',
    ],
    ['no container', ({ token }) => Object.assign(token, { containers: [] }), 'tokens.0.containers '],
    [
      'data that its type forbids',
      ({ token }) => Object.assign(token, { type: 'card', data: { number: '4242' } }),
      'tokens.0.data.number ',
    ],
    ['data null', ({ token }) => Object.assign(token, { data: null }), 'tokens.0.data '],
    [
      'an unknown filter',
      ({ token }) => Object.assign(token, { mask: { a: '{{ data | hide }}' } }),
      'tokens.0.mask.a ',
    ],
    [
      'an unknown variable',
      ({ token }) => Object.assign(token, { search_indexes: ['{{ date }}'] }),
      'tokens.0.search_indexes.0 ',
    ],
    [
      'a broken fingerprint',
      ({ token }) => Object.assign(token, { fingerprint_expression: '{{' }),
      'tokens.0.fingerprint_expression ',
    ],
    [
      'an unknown permission',
      ({ application }) => Object.assign(application, { permissions: ['all'] }),
      'applications.0.permissions.0 ',
    ],
    ['no settings', ({ tenant }) => Object.assign(tenant, { settings: undefined }), 'tenant.settings '],
  ])('what the service would not accept is refused by its path: %s', async (_what, change, message) => {
    await createToken('invalid');
    const path = `/tenants/${server.emulator.ready.tenant_id}/file`;
    const before = (await control.get(path)).body;
    const file = structuredClone(before);
    change({ token: file.tokens[0], application: file.applications[0], tenant: file.tenant });
    const refused = await control.put('/tenants/file', file);
    expect([refused.status, refused.body.errors?.tenant_file[0]]).toEqual([
      400,
      expect.stringContaining(message),
    ]);
    expect((await control.get(path)).body).toEqual(before);
  });

  test('a token whose data changed after its mask was accepted is imported', async () => {
    await control.post('/reset');
    const card = { number: '4242424242424242', cvc: '123' };
    await server.token({ id: 'cvc', type: 'card', data: card, mask: "{{ data | json: '$.cvc' }}" });
    await control.put('/clock', { advance: '2h' });
    const path = `/tenants/${server.emulator.ready.tenant_id}/file`;
    await expect.poll(async () => (await control.get(path)).body.tokens[0].data).not.toHaveProperty('cvc');
    const out = await control.get(path);
    expect((await control.put('/tenants/file', out.body)).status).toBe(204);
    await control.put('/clock', { reset: true });
  });

  test('another file is refused and changes nothing', async () => {
    await createToken('stays');
    expect((await control.put('/tenants/file', { tokens: [] })).status).toBe(400);
    const { body } = await control.get(`/tenants/${server.emulator.ready.tenant_id}/file`);
    const [token] = body.tokens;
    for (const [name, value] of [
      ['created_at', 'soon'],
      ['type', 'unknown'],
      ['containers', undefined],
      ['metadata', { k: 1 }],
      ['tenant_id', '00000000-0000-4000-8000-000000000000'],
    ] as const) {
      const refused = await control.put('/tenants/file', { ...body, tokens: [{ ...token, [name]: value }] });
      expect([name, refused.status]).toEqual([name, 400]);
      expect(refused.body.errors.tenant_file[0]).toContain(name);
    }
    expect(await statusOf('stays')).toBe(200);
    expect((await control.get('/tenants/00000000-0000-4000-8000-000000000000/file')).status).toBe(404);
  });
});
