import { describe, expect, it, test } from 'vitest';
import { createApplication, createReactor, logEntries, react } from '../../../support/reactors.js';
import { useServer } from '../../../support/test-server.js';

const server = useServer();
const CODE = 'module.exports = async (req) => ({ raw: { answer: 42, configuration: req.configuration } });';
const management = { as: 'management' } as const;

describe('POST /reactors', () => {
  it('answers 201 with the reactor, its application and who created it', async () => {
    const { id: application } = await createApplication(server, { permissions: ['token:create'] });
    const { body: own } = await server.get('/applications/key', management);
    const body = {
      name: 'charge',
      code: CODE,
      configuration: { KEY: 'value' },
      application: { id: application },
    };
    const answer = await server.post('/reactors', body, management);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(String),
      tenant_id: server.emulator.tenant_id,
      ...body,
      created_by: own.id,
      created_at: expect.any(String),
    });
  });

  it('requires name, code and configuration, which may be empty', async () => {
    const answer = await server.post('/reactors', {}, management);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.errors).sort()).toEqual(['code', 'configuration', 'name']);
    expect(
      (await server.post('/reactors', { name: 'n', code: CODE, configuration: {} }, management)).status,
    ).toBe(201);
  });

  it.each([
    ['name longer than 200 characters', { name: 'n'.repeat(201) }, 'name'],
    ['code longer than 50,000 characters', { code: 'x'.repeat(50_001) }, 'code'],
    ['a configuration value that is not a string', { configuration: { A: 1 } }, 'configuration.A'],
    ['an unknown property', { timeout: 1 }, 'timeout'],
    ['an application id that is no UUID', { application: { id: 'x' } }, 'application.id'],
  ])('refuses %s with 400', async (_what, change, path) => {
    const body = { name: 'n', code: CODE, configuration: {}, ...change };
    const answer = await server.post('/reactors', body, management);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.errors)).toEqual([path]);
  });

  it('accepts a name of 200 and code of exactly 50,000 characters', async () => {
    const code = `${CODE}\n// ${'x'.repeat(50_000)}`.slice(0, 50_000);
    const body = { name: 'n'.repeat(200), code, configuration: {} };
    const answer = await server.post('/reactors', body, management);
    expect(answer.status).toBe(201);
    expect(answer.body.code).toBe(code);
  });

  it('stores code that does not parse; invoking it is 422', async () => {
    const id = await createReactor(server, 'module.exports = async (req) => {');
    const answer = await react(server, id);
    expect(answer.status).toBe(422);
    expect(answer.body.title).toBe('Unprocessable Reactor');
    expect(answer.body.errors.error).toHaveLength(1);
  });

  it.each(['module.exports = { a: 1 };', 'module.exports = 5;', 'const unused = 1;'])(
    'code that exports no function is 422 when invoked: %s',
    async (code) => {
      expect((await react(server, await createReactor(server, code))).status).toBe(422);
    },
  );

  it.each([
    ['unknown', () => Promise.resolve(crypto.randomUUID()), /application of the tenant/],
    [
      'management',
      async () => (await server.get('/applications/key', management)).body.id,
      /public or private/,
    ],
  ])('application.id must be a live public or private one: %s is 400', async (_what, idOf, message) => {
    const application = { id: await idOf() };
    const body = { name: 'n', code: CODE, configuration: {}, application };
    const answer = await server.post('/reactors', body, management);
    expect(answer.status).toBe(400);
    expect(answer.body.errors['application.id'][0]).toMatch(message);
  });

  it('accepts a public application', async () => {
    const application = await createApplication(server, { permissions: ['token:create'] }, 'public');
    await createReactor(server, CODE, { application: { id: application.id } });
  });

  it('a deleted application is 400', async () => {
    const { id } = await createApplication(server, { permissions: ['token:create'] });
    await server.delete(`/applications/${id}`, management);
    const body = { name: 'n', code: CODE, configuration: {}, application: { id } };
    expect((await server.post('/reactors', body, management)).status).toBe(400);
  });
});

describe('GET, PUT and DELETE /reactors/{id}', () => {
  it('returns the created reactor', async () => {
    const id = await createReactor(server, CODE, { name: 'read me', configuration: { A: 'b' } });
    const answer = await server.get(`/reactors/${id}`, management);
    expect(answer.body).toMatchObject({ id, name: 'read me', code: CODE, configuration: { A: 'b' } });
  });

  it('PUT replaces everything, including the application, and records who did it', async () => {
    const application = await createApplication(server, { permissions: ['token:create'] });
    const id = await createReactor(server, CODE, {
      configuration: { A: 'b' },
      application: { id: application.id },
    });
    const body = { name: 'other', code: `${CODE} // 2`, configuration: { C: 'd' } };
    const answer = await server.put(`/reactors/${id}`, body, management);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject(body);
    expect(answer.body).not.toHaveProperty('application');
    expect(answer.body.modified_at).toEqual(expect.any(String));
    expect(answer.body.modified_by).toEqual(answer.body.created_by);
    expect((await server.get(`/reactors/${id}`, management)).body).toEqual(answer.body);
  });

  it('DELETE answers 204 without a body; then it is 404', async () => {
    const id = await createReactor(server, CODE);
    const answer = await server.delete(`/reactors/${id}`, management);
    expect([answer.status, answer.body]).toEqual([204, undefined]);
    expect((await server.get(`/reactors/${id}`, management)).status).toBe(404);
    expect((await react(server, id)).status).toBe(404);
  });

  it.each(['GET', 'PUT', 'PATCH', 'DELETE'] as const)('%s of an unknown id is 404', async (method) => {
    const withBody = method === 'PUT' || method === 'PATCH';
    const options = { ...management, ...(withBody && { body: {} }) };
    for (const id of [crypto.randomUUID(), 'no-uuid']) {
      expect((await server.call(method, `/reactors/${id}`, options)).status).toBe(404);
    }
  });
});

describe('PATCH /reactors/{id}', () => {
  it('answers 204 without a body', async () => {
    const id = await createReactor(server, CODE);
    const answer = await server.patch(`/reactors/${id}`, { name: 'patched' }, management);
    expect([answer.status, answer.body]).toEqual([204, undefined]);
  });

  it('configuration merges (RFC 7386), the others replace', async () => {
    const id = await createReactor(server, CODE, { configuration: { A: '1', B: '2' } });
    await server.patch(`/reactors/${id}`, { configuration: { A: null, C: '3' }, name: 'p' }, management);
    const { body } = await server.get(`/reactors/${id}`, management);
    expect(body).toMatchObject({ name: 'p', code: CODE });
    expect(body.configuration).toEqual({ B: '2', C: '3' });
  });

  it('application: null detaches it, an id attaches one, an absent property keeps it', async () => {
    const application = await createApplication(server, { permissions: ['token:create'] });
    const id = await createReactor(server, CODE, { application: { id: application.id } });
    const patched = async (patch: object) => {
      expect((await server.patch(`/reactors/${id}`, patch, management)).status).toBe(204);
      return (await server.get(`/reactors/${id}`, management)).body.application;
    };
    expect(await patched({ name: 'kept' })).toEqual({ id: application.id });
    expect(await patched({ application: null })).toBeUndefined();
    expect(await patched({ application: { id: application.id } })).toEqual({ id: application.id });
  });

  it('another content type is 415', async () => {
    const id = await createReactor(server, CODE);
    const headers = { 'content-type': 'application/json' };
    const answer = await server.patch(`/reactors/${id}`, { name: 'x' }, { ...management, headers });
    expect(answer.status).toBe(415);
  });

  it.each([{ name: null }, { code: 'x'.repeat(50_001) }, { configuration: { A: 1 } }, { unknown: 1 }])(
    'refuses %j with 400',
    async (patch) => {
      const id = await createReactor(server, CODE);
      expect((await server.patch(`/reactors/${id}`, patch, management)).status).toBe(400);
    },
  );

  it('patches made at the same time are all applied', async () => {
    const id = await createReactor(server, CODE);
    const patches = Array.from({ length: 20 }, (_, i) => ({ configuration: { [`K${i}`]: 'v' } }));
    await Promise.all(patches.map((patch) => server.patch(`/reactors/${id}`, patch, management)));
    const { body } = await server.get(`/reactors/${id}`, management);
    expect(Object.keys(body.configuration)).toHaveLength(20);
  });
});

describe('permissions', () => {
  it.each([
    ['POST', '/reactors'],
    ['GET', '/reactors'],
    ['GET', '/reactors/{id}'],
    ['PUT', '/reactors/{id}'],
    ['PATCH', '/reactors/{id}'],
    ['DELETE', '/reactors/{id}'],
  ] as const)('a private key gets 403 on %s %s', async (method, path) => {
    const id = await createReactor(server, CODE);
    const options = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
    expect((await server.call(method, path.replace('{id}', id), options)).status).toBe(403);
  });

  it.each(['management', 'public'] as const)('react needs token:use: a %s key gets 403', async (as) => {
    const id = await createReactor(server, CODE);
    expect((await react(server, id, undefined, { as })).status).toBe(403);
  });
});

describe('audit log', () => {
  it('has an entry for create, update, use and delete of a reactor', async () => {
    const id = await createReactor(server, CODE);
    await server.patch(`/reactors/${id}`, { name: 'n' }, management);
    await react(server, id);
    await server.delete(`/reactors/${id}`, management);
    const entries = await logEntries(server, `entity_type=reactor&entity_id=${id}`);
    expect(entries.map(({ operation }) => operation).sort()).toEqual(['create', 'delete', 'update', 'use']);
  });
});

test('the code and configurations of a tenant have at most 64 MiB: more is 507, and nothing is stored', async () => {
  const configuration = { KEY: 'x'.repeat(5_200_000) };
  const create = (name: string) => server.post('/reactors', { name, code: CODE, configuration }, management);
  for (let i = 0; i < 12; i++) expect((await create(`large ${i}`)).status).toBe(201);
  const refused = await create('one too many');
  expect([refused.status, refused.body.detail]).toEqual([507, expect.stringContaining('67108864 bytes')]);
  const { body } = await server.get('/reactors?name=large*&size=1', management);
  expect(body.pagination.total_items).toBe(12);
  const [{ id }] = body.data;
  expect(
    (await server.put(`/reactors/${id}`, { name: 'large', code: CODE, configuration }, management)).status,
  ).toBe(200);
  const page = await server.get('/reactors?name=large*&size=100', management);
  expect([page.status, Object.keys(page.body.errors)]).toEqual([400, ['query.size']]);
});
