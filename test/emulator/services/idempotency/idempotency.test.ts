import { describe, expect, test } from 'vitest';
import { openBarrier, startGate } from '../../../support/http-server.js';
import { controlOf, createApplication, createReactor, useServer } from '../../../support/test-server.js';

const server = useServer();
const DAY = 86_400_000;
let keys = 0;
const fresh = () => ({ 'SVC-IDEMPOTENCY-KEY': `key-${keys++}` });

const token = (data: unknown = 'x') => ({ type: 'token', data });

describe('decisions.md, SVC-IDEMPOTENCY-KEY', () => {
  test('a stored response applies to one application, method, path and key', async () => {
    const headers = fresh();
    const { body } = await server.post('/tokens', token(), { headers });
    const others = [
      await server.post('/tokens', token(), { headers, as: 'public' }),
      await server.post('/tokens', token(), { headers: fresh() }),
      await server.post('/tokenize', 'x', { headers }),
      await server.patch(`/tokens/${body.id}`, { data: 'y' }, { headers }),
    ];
    for (const other of others) expect(other.body).not.toEqual(body);
  });

  test('a repeated request while the first is in flight is 409 with Retry-After and has no effect', async () => {
    const headers = fresh();
    const repeats: unknown[] = [];
    const gate = await openBarrier(async () => {
      const repeat = await server.post(`/reactors/${id}/react`, {}, { headers });
      repeats.push(repeat.status, repeat.headers.get('retry-after'));
    });
    const id = await createReactor(
      server,
      `module.exports = async () => {
        await fetch('${gate}');
        return { tokenize: 'once' };
      }`,
    );
    const before = (await server.get('/tokens')).body.pagination.total_items;
    const { body } = await server.post(`/reactors/${id}/react`, {}, { headers });
    expect(repeats).toEqual([409, '1']);
    expect((await server.post(`/reactors/${id}/react`, {}, { headers })).body).toEqual(body);
    expect((await server.get('/tokens')).body.pagination.total_items).toBe(before + 1);
  });

  test('a response is stored for 24 hours', async () => {
    const headers = fresh();
    const first = await server.post('/tokens', token(), { headers });
    await server.emulator.clock.advance(DAY - 1_000);
    expect((await server.post('/tokens', token(), { headers })).body.id).toBe(first.body.id);
    await server.emulator.clock.advance(1_001);
    expect((await server.post('/tokens', token(), { headers })).body.id).not.toBe(first.body.id);
  });

  test('a response is deleted with its token', async () => {
    const headers = fresh();
    const first = await server.post('/tokens', token(), { headers });
    await server.delete(`/tokens/${first.body.id}`);
    const again = await server.post('/tokens', token(), { headers });
    expect([again.status, again.body.id === first.body.id]).toEqual([201, false]);
  });

  describe('is not stored if a token that it shows is deleted before it is sent', () => {
    const restore = () => controlOf(server).post('/snapshots/without/restore');
    test.each<[string, (id: string) => Promise<unknown>]>([
      ['deleted', (id) => server.delete(`/tokens/${id}`)],
      ['not in the snapshot that is restored', restore],
    ])('%s', async (_, goes) => {
      const gate = await openBarrier(() => goes(id));
      const code = `module.exports = async ({ args }) => {
        await fetch('${gate}');
        return { raw: args };
      }`;
      const reactor = await createReactor(server, code);
      await controlOf(server).post('/snapshots', { name: 'without' });
      const { id } = await server.token(token('secret'));
      const headers = fresh();
      const call = () =>
        server.post(`/reactors/${reactor}/react`, { args: { a: `{{ ${id} }}` } }, { headers });
      expect((await call()).body).toEqual({ raw: { a: 'secret' } });
      expect((await call()).status).toBe(400);
    });
  });

  test('a repeated creation of an application returns the same key', async () => {
    const headers = fresh();
    const body = { name: 'shop', type: 'public', permissions: ['token:create'] };
    const first = await server.post('/applications', body, { as: 'management', headers });
    const second = await server.post('/applications', body, { as: 'management', headers });
    expect(second.body).toEqual(first.body);
    expect(first.body.key).toMatch(/^key_/);
  });

  test('the key is ignored on GET and DELETE', async () => {
    const headers = fresh();
    const { id } = await server.token(token());
    await server.patch(`/tokens/${id}`, { metadata: { a: '1' } });
    expect((await server.get(`/tokens/${id}`, { headers })).body.metadata).toEqual({ a: '1' });
    await server.patch(`/tokens/${id}`, { metadata: { a: '2' } });
    expect((await server.get(`/tokens/${id}`, { headers })).body.metadata).toEqual({ a: '2' });
    expect((await server.delete(`/tokens/${id}`, { headers })).status).toBe(204);
    expect((await server.delete(`/tokens/${id}`, { headers })).status).toBe(404);
  });
});

describe('a stored response ends with the access that it was given under', () => {
  const change = (id: string, access: object) =>
    server.put(`/applications/${id}`, { name: 'changed', ...access }, { as: 'management' });

  /** Detokenizes twice with one key; `meanwhile` runs in between. */
  async function repeatAfter(
    meanwhile: (application: { id: string; key: string }, token: string) => Promise<unknown>,
  ) {
    const access = { permissions: ['token:use', 'token:read', 'token:update', 'token:create'] };
    const { id, key } = await createApplication(server, access);
    const headers = fresh();
    const stored = await server.token(token('secret'));
    const send = (as: string) => server.post('/detokenize', `{{ ${stored.id} }}`, { headers, key: as });
    expect((await send(key)).body).toBe('secret');
    const newKey = await meanwhile({ id, key }, stored.id);
    return send(typeof newKey === 'string' ? newKey : key);
  }

  const rule = { priority: 1, container: '/other/', transform: 'reveal', permissions: ['token:use'] };
  test.each([
    ['a permission is taken away', { permissions: ['token:read'] }],
    ['a rule covers other containers', { rules: [rule] }],
  ])('%s', async (_what, access) => {
    expect((await repeatAfter(({ id }) => change(id, access))).status).toBe(403);
  });

  test('a new key executes the request again', async () => {
    const repeat = await repeatAfter(async ({ id }, stored) => {
      await server.patch(`/tokens/${stored}`, { data: 'changed' });
      const { body: answer } = await server.post(`/applications/${id}/regenerate`, undefined, {
        as: 'management',
      });
      return answer.key;
    });
    expect([repeat.status, repeat.body]).toEqual([200, 'changed']);
  });

  test('a new name alone does not end it', async () => {
    const permissions = ['token:create'];
    const { id, key } = await createApplication(server, { permissions });
    const headers = fresh();
    const send = () => server.post('/tokens', token('once'), { headers, key });
    const first = await send();
    await change(id, { permissions });
    expect((await send()).body).toEqual(first.body);
  });

  test('a token that changes containers ends the responses that show it', async () => {
    const repeat = await repeatAfter((_application, stored) =>
      server.patch(`/tokens/${stored}`, { data: 'moved', containers: ['/moved/'] }),
    );
    expect([repeat.status, repeat.body]).toEqual([200, 'moved']);
  });

  test.each([
    { changed: 'the access', isStored: false },
    { changed: 'the access of another application', isStored: true },
  ])('a response that was in flight when $changed changed is stored: $isStored', async ({ isStored }) => {
    const access = { permissions: ['token:use'] };
    const { id, key } = await createApplication(server, access);
    const gate = await startGate();
    const code = `module.exports = async () => {
      await fetch('${gate.url}');
      return { raw: { n: Math.random() } };
    }`;
    const reactor = await createReactor(server, code);
    const headers = fresh();
    const send = () => server.post(`/reactors/${reactor}/react`, { args: {} }, { headers, key });
    const both = [send(), send()];
    // The other one is in flight until the gate is open.
    expect((await Promise.race(both)).status).toBe(409);
    const other = await createApplication(server, access);
    await change(isStored ? other.id : id, { permissions: ['token:use', 'token:read'] });
    gate.open();
    const first = (await Promise.all(both)).find(({ status }) => status === 200);
    expect((await send()).body.raw.n === first?.body.raw.n).toBe(isStored);
  });

  test('responses in the store end, too', async () => {
    const access = { permissions: ['token:create', 'token:read'] };
    const { id, key } = await createApplication(server, access);
    const headers = fresh();
    const first = await server.post('/tokens', token(), { headers, key });
    await change(id, { permissions: ['token:create'] });
    const second = await server.post('/tokens', token(), { headers, key });
    expect([second.status, second.body.id === first.body.id]).toEqual([201, false]);
  });
});
