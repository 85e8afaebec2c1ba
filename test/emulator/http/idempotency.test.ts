import { describe, expect, test } from 'vitest';
import { useServer } from '../support/server.js';

const server = useServer();
const DAY = 86_400_000;
let keys = 0;
const fresh = () => ({ 'SVC-IDEMPOTENCY-KEY': `key-${keys++}` });

const token = (data: unknown = 'x') => ({ type: 'token', data });

describe('decisions.md, SVC-IDEMPOTENCY-KEY', () => {
  test('a repeat gets the first response, whatever its body', async () => {
    const headers = fresh();
    const first = await server.post('/tokens', token(), { headers });
    const second = await server.post('/tokens', { type: 'nonsense' }, { headers });
    expect(second.status).toBe(201);
    expect(second.body).toEqual(first.body);
  });

  test('per application, method, path and key', async () => {
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

  test('a failed response is not stored', async () => {
    const headers = fresh();
    expect((await server.post('/tokens', { type: 'nonsense' }, { headers })).status).toBe(400);
    expect((await server.post('/tokens', token(), { headers })).status).toBe(201);
  });

  test('a repeat while the first runs is 409 with Retry-After', async () => {
    const headers = fresh();
    const answers = await Promise.all([1, 2, 3].map(() => server.post('/tokens', token(), { headers })));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(1);
    const created = answers.filter(({ status }) => status === 201).map(({ body }) => body.id);
    expect(new Set(created).size).toBe(1);
    for (const { status, headers } of answers) {
      if (status !== 201) expect([status, headers.get('retry-after')]).toEqual([409, '1']);
    }
  });

  test('it is stored for 24 hours', async () => {
    const headers = fresh();
    const first = await server.post('/tokens', token(), { headers });
    await server.emulator.clock.advance(DAY - 1_000);
    expect((await server.post('/tokens', token(), { headers })).body.id).toBe(first.body.id);
    await server.emulator.clock.advance(1_001);
    expect((await server.post('/tokens', token(), { headers })).body.id).not.toBe(first.body.id);
  });

  test('it goes when its token goes', async () => {
    const headers = fresh();
    const first = await server.post('/tokens', token(), { headers });
    await server.delete(`/tokens/${first.body.id}`);
    const again = await server.post('/tokens', token(), { headers });
    expect([again.status, again.body.id === first.body.id]).toEqual([201, false]);
  });

  test('an answer with token data goes with each token that it used', async () => {
    const headers = fresh();
    const { id } = await server.token(token('secret'));
    const call = () => server.post('/detokenize', `{{ ${id} }}`, { headers });
    expect((await call()).body).toBe('secret');
    expect((await call()).body).toBe('secret');
    await server.delete(`/tokens/${id}`);
    expect((await call()).status).toBe(400);
  });

  test('the keys of applications are answered again as well', async () => {
    const headers = fresh();
    const body = { name: 'shop', type: 'public', permissions: ['token:create'] };
    const first = await server.post('/applications', body, { as: 'management', headers });
    const second = await server.post('/applications', body, { as: 'management', headers });
    expect(second.body).toEqual(first.body);
    expect(first.body.key).toMatch(/^key_/);
  });

  test('ignored on GET and DELETE', async () => {
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
