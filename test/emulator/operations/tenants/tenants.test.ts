import { describe, expect, test } from 'vitest';
import { controlOf } from '../../../support/control.js';
import { useServer } from '../../../support/test-server.js';

const as = 'management';

describe('GET and PUT /tenants/self', () => {
  const server = useServer();

  test('the tenant object, without the secrets', async () => {
    const { status, body } = await server.get('/tenants/self', { as });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: server.emulator.tenant_id,
      owner_id: expect.any(String),
      name: expect.any(String),
      settings: { fingerprint_tokens: 'true', deduplicate_tokens: 'false' },
      created_by: expect.any(String),
      created_at: expect.any(String),
    });
  });

  test('PUT replaces the name, and only the settings that are given', async () => {
    const first = await server.put(
      '/tenants/self',
      { name: 'A', settings: { deduplicate_tokens: 'true' } },
      { as },
    );
    expect(first.status).toBe(200);
    expect(first.body.settings).toEqual({ fingerprint_tokens: 'true', deduplicate_tokens: 'true' });
    const second = await server.put('/tenants/self', { name: 'B' }, { as });
    expect(second.body).toMatchObject({ name: 'B', settings: first.body.settings });
    expect(second.body).toMatchObject({ modified_by: expect.any(String), modified_at: expect.any(String) });
    expect((await server.get('/tenants/self', { as })).body).toEqual(second.body);
  });

  test.each([
    ['a boolean', { fingerprint_tokens: true }, 'settings.fingerprint_tokens'],
    ['another string', { deduplicate_tokens: 'yes' }, 'settings.deduplicate_tokens'],
    ['an unknown key', { colour: 'true' }, 'settings.colour'],
  ])('a setting that is %s is 400, and nothing changes', async (_what, settings, path) => {
    const before = (await server.get('/tenants/self', { as })).body;
    const { status, body } = await server.put('/tenants/self', { name: 'C', settings }, { as });
    expect([status, Object.keys(body.errors)]).toEqual([400, [path]]);
    expect((await server.get('/tenants/self', { as })).body).toEqual(before);
  });

  test('a name is required', async () => {
    const { status, body } = await server.put('/tenants/self', {}, { as });
    expect([status, Object.keys(body.errors)]).toEqual([400, ['name']]);
  });

  test('concurrent updates all succeed, and one of them is stored completely', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `name ${i}`);
    const answers = await Promise.all(names.map((name) => server.put('/tenants/self', { name }, { as })));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    expect(names).toContain((await server.get('/tenants/self', { as })).body.name);
  });
});

describe('DELETE /tenants/self', () => {
  const server = useServer();

  test('deletes a tenant that was imported from a file', async () => {
    const control = controlOf(server);
    const { tenant_id, keys } = (await control.post('/tenants', { name: 'From a file' })).body;
    const { body: file } = await control.get(`/tenants/${tenant_id}/file`);
    expect((await control.put('/tenants/file', { ...file, settings: [] })).status).toBe(204);
    expect((await server.delete('/tenants/self', { key: keys.management })).status).toBe(204);
    expect((await server.get('/tenants/self', { key: keys.management })).status).toBe(401);
  });

  test('deletes everything of the tenant; its keys get 401; another tenant is unchanged', async () => {
    const control = { authorization: `Bearer ${server.emulator.controlToken}` };
    const { body: other } = await server.post(
      '/_emulator/tenants',
      { name: 'other' },
      { key: null, headers: control },
    );
    const { id } = await server
      .post('/tokens', { type: 'token', data: 'x' }, { key: other.keys.private })
      .then(({ body }) => body);
    await server.token({ type: 'token', data: 'x' });

    expect((await server.delete('/tenants/self', { as })).status).toBe(204);
    for (const type of ['management', 'private', 'public'] as const) {
      expect((await server.get('/permissions', { as: type })).status).toBe(401);
    }
    expect((await server.get(`/tokens/${id}`, { key: other.keys.private })).body.data).toBe('x');
    expect((await server.get('/tenants/self', { key: other.keys.management })).body.name).toBe('other');
  });
});
