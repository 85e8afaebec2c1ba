import { beforeEach, describe, expect, it } from 'vitest';
import { useServer } from '../../../support/test-server.js';

const HOUR = 3_600_000;
const server = useServer();
const clock = () => server.emulator.clock;
const inMs = (ms: number) => new Date(clock().now() + ms).toISOString();

beforeEach(() => clock().freeze());

describe('expires_at', () => {
  it('the moment itself counts as past; a token that never expires has no expires_at', async () => {
    expect((await server.post('/tokens', { type: 'token', data: 1, expires_at: inMs(0) })).status).toBe(400);
    expect(await server.token({ type: 'token', data: 1 })).not.toHaveProperty('expires_at');
  });

  it('an expired token is missing from every response immediately', async () => {
    const { id } = await server.token({
      type: 'token',
      data: 'expiring',
      id: 'expiring-1',
      expires_at: inMs(10_000),
      metadata: { run: 'expiry' },
      search_indexes: ['{{ data }}'],
    });
    await clock().advance(9_999);
    expect((await server.get(`/tokens/${id}`)).status).toBe(200);
    await clock().advance(1);
    for (const [method, path, body] of [
      ['GET', `/tokens/${id}`],
      ['PATCH', `/tokens/${id}`, {}],
      ['DELETE', `/tokens/${id}`],
    ] as const) {
      expect((await server.call(method, path, { body })).status, method).toBe(404);
    }
    expect((await server.get(`/tokens?id=${id}`)).body.pagination.total_items).toBe(0);
    expect((await server.get('/tokens?metadata.run=expiry')).body.data).toEqual([]);
    expect((await server.post('/tokens/search', { query: 'data:expiring' })).body.data).toEqual([]);
    expect((await server.post('/detokenize', `{{ ${id} }}`)).status).toBe(400);
    expect((await server.post('/tokens', { type: 'token', data: 'new', id })).status).toBe(201);
  });

  it('the sweep deletes an expired token when the clock reaches its time, and writes an audit entry', async () => {
    for (const [id, ms] of [
      ['swept-1', 5_000],
      ['swept-2', 26 * HOUR],
    ] as const) {
      await server.token({ type: 'token', data: 'x', id, expires_at: inMs(ms) });
      await clock().advance(ms);
      const log = await server.get(`/logs?entity_id=${id}`, { as: 'management' });
      expect(log.body.data[0]).toMatchObject({ operation: 'delete', actor_type: 'system', entity_id: id });
    }
  });

  it('all tokens that expire at the same time are swept', async () => {
    const requests = Array.from({ length: 450 }, (_, n) => ({
      type: 'token',
      data: n,
      id: `many-${n}`,
      expires_at: inMs(HOUR),
    }));
    expect((await server.post('/tokenize', requests)).status).toBe(200);
    const before = clock().now();
    await clock().advance(HOUR);
    const since = `start_date=${new Date(before + 1).toISOString()}`;
    const log = await server.get(`/logs?entity_type=token&size=1&${since}`, { as: 'management' });
    expect(log.body.pagination.total_items).toBe(450);
  });

  it('can be changed and removed', async () => {
    const { id } = await server.token({ type: 'token', data: 1, expires_at: inMs(HOUR) });
    const later = inMs(2 * HOUR);
    expect(Date.parse((await server.patch(`/tokens/${id}`, { expires_at: later })).body.expires_at)).toBe(
      Date.parse(later),
    );
    await clock().advance(HOUR + 1);
    expect((await server.get(`/tokens/${id}`)).status).toBe(200);
    expect((await server.patch(`/tokens/${id}`, { expires_at: '1/1/2001' })).status).toBe(400);
    expect((await server.patch(`/tokens/${id}`, { expires_at: null })).body).not.toHaveProperty('expires_at');
    await clock().advance(2 * HOUR);
    expect((await server.get(`/tokens/${id}`)).status).toBe(200);
  });
});

describe('cvc is deleted one hour after it was last set', () => {
  const card = { number: '4242424242424242', cvc: '123' };
  const cvcOf = async (id: string) => (await server.get(`/tokens/${id}`)).body.data.cvc;

  it('is deleted without other card fields', async () => {
    const { id } = await server.token({ type: 'card', data: card });
    await clock().advance(HOUR - 1);
    expect(await cvcOf(id)).toBe('123');
    await clock().advance(1);
    expect((await server.get(`/tokens/${id}`)).body.data).toEqual({ number: card.number });
    expect((await server.post('/detokenize', `{{ ${id} }}`)).body).toEqual({ number: card.number });
  });

  it('an update without an expiry leaves it unchanged; one with an expiry replaces it', async () => {
    const { id } = await server.token({ type: 'card', data: card });
    await clock().advance(HOUR / 2);
    await server.patch(`/tokens/${id}`, { data: { expiration_month: 5 } });
    await clock().advance(HOUR / 2);
    expect(await cvcOf(id)).toBeUndefined();
    await server.patch(`/tokens/${id}`, { data: { cvc: '456' } });
    await clock().advance(HOUR / 2);
    await server.patch(`/tokens/${id}`, { data: { cvc: '456' } });
    await clock().advance(HOUR - 1);
    expect(await cvcOf(id)).toBe('456');
    await clock().advance(1);
    expect(await cvcOf(id)).toBeUndefined();
  });

  it('is kept in data of other types', async () => {
    const data = { door: 'north', cvc: '123' };
    const { id } = await server.token({ type: 'token', data });
    await server.patch(`/tokens/${id}`, { data: { cvc: '456' } });
    await clock().advance(2 * HOUR);
    expect((await server.get(`/tokens/${id}`)).body.data).toEqual({ ...data, cvc: '456' });
  });

  it('is not in indexes or masks afterwards, and a mask that needs it does not fail the read', async () => {
    const { id } = await server.token({
      type: 'card',
      data: card,
      id: 'cvc-index',
      mask: { cvc: "{{ data | json: '$.cvc' }}" },
      search_indexes: ['{{ data.cvc }}', "{{ data | json: '$.cvc' }}", '{{ data.number | last4 }}'],
    });
    const masking = await server.application({ permissions: ['token:read', 'token:search'] });
    expect((await server.get(`/tokens/${id}`, { key: masking })).body.data).toEqual({ cvc: '123' });
    await clock().advance(HOUR);
    expect((await server.get(`/tokens/${id}`, { key: masking })).body).not.toHaveProperty('data');
    expect((await server.post('/tokens/search', { query: 'data:123' })).body.data).toEqual([]);
    const found = await server.post('/tokens/search', { query: 'data:4242 AND id:cvc-index' });
    expect(found.body.data).toHaveLength(1);
  });
});
