import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { parseExpiration } from '../../../../emulator/operations/tokens/lifetime.js';
import { idsIn, useServer } from '../../../support/test-server.js';

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

describe('expires_at: both formats of the specification in all their variants, and ISO 8601', () => {
  it.each([
    ['8/31/2030 3:30:00 PM -05:00', '2030-08-31T15:30:00-05:00'],
    ['08/31/2030 03:30:00 PM -05:00', '2030-08-31T15:30:00-05:00'],
    ['8/31/2030 3:30:00 pm -05:00', '2030-08-31T15:30:00-05:00'],
    ['1/2/2030 12:00:00 AM +05:30', '2030-01-02T00:00:00+05:30'],
    ['1/2/2030 12:00:00 PM +00:00', '2030-01-02T12:00:00+00:00'],
    ['12/31/2030 11:59:59 PM +14:00', '2030-12-31T23:59:59+14:00'],
    // a date-time without an offset is read as UTC
    ['8/31/2030 3:30:00 PM', '2030-08-31T15:30:00+00:00'],
    // a short date means 12 AM UTC of that day
    ['8/31/2030', '2030-08-31T00:00:00+00:00'],
    ['08/01/2030', '2030-08-01T00:00:00+00:00'],
    ['2/29/2032', '2032-02-29T00:00:00+00:00'],
    // ISO 8601 with or without offset; a date alone is midnight UTC
    ['2030-08-31T15:30:00-05:00', '2030-08-31T15:30:00-05:00'],
    ['2030-08-31T15:30:00-0500', '2030-08-31T15:30:00-05:00'],
    ['2030-08-31T15:30:00+05', '2030-08-31T15:30:00+05:00'],
    ['2030-08-31T15:30:00Z', '2030-08-31T15:30:00+00:00'],
    ['2030-08-31t15:30:00z', '2030-08-31T15:30:00+00:00'],
    ['2030-08-31T15:30:00', '2030-08-31T15:30:00+00:00'],
    ['2030-08-31T15:30', '2030-08-31T15:30:00+00:00'],
    ['2030-08-31T15:30:00.250Z', '2030-08-31T15:30:00.250+00:00'],
    ['2030-08-31', '2030-08-31T00:00:00+00:00'],
  ])('%s is %s', (text, iso) => {
    expect(parseExpiration(text)).toEqual({ text: iso, time: Date.parse(iso) });
  });

  /** Separated by bars. */
  const REFUSED = [
    '|tomorrow|31/8/2030|2/30/2030|2/29/2031|13/1/2030|0/1/2030|8/31/30|8-31-2030|8/31/2030 3:30 PM|',
    '8/31/2030 13:30:00 PM|8/31/2030 0:30:00 AM|8/31/2030 3:30:00|8/31/2030 3:60:00 PM|',
    '8/31/2030 3:30:00 PM 05:00|8/31/2030 3:30:00 PM -5:00|8/31/2030 3:30:00 PM +15:00|',
    '8/31/2030 3:30:00 PM Z| 8/31/2030|8/31/2030 |2030-02-30|2030-13-01|2030-08-31T25:00:00Z|',
    '2030-08-31 15:30:00|2030|2030-08|15:30:00|2030-W35|20300831|1924905600|2030-08-31T15:30:00+99:00',
  ].join('');

  it.each(REFUSED.split('|'))('%j is not accepted', (text) => expect(parseExpiration(text)).toBeUndefined());
});

it('a formatted timestamp parses to the same time', () => {
  const date = fc.date({ min: new Date('2030-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(date, (moment) => {
      const parsed = parseExpiration(moment.toISOString());
      expect(parsed?.time).toBe(moment.getTime());
      expect(parseExpiration(parsed?.text ?? '')).toEqual(parsed);
    }),
  );
});

const DAY = 86_400_000;
const today = "{{ 'now' | date: '%Y-%m-%d' }}";

it('expressions take their date from the clock of the emulator: set, frozen and advanced', async () => {
  const { clock } = server.emulator;
  clock.freeze();
  await clock.set(Date.parse('2031-02-28T12:00:00Z'));
  const created = await server.token({
    type: 'token',
    data: 'x',
    id: `day-${today}`,
    mask: today,
    search_indexes: [today],
  });
  expect([created.id, created.data]).toEqual(['day-2031-02-28', '2031-02-28']);

  await clock.advance(DAY);
  const masked = await server.application({ permissions: ['token:read'] });
  const shown = await server.get(`/tokens/${created.id}`, { key: masked });
  expect(shown.body.data).toBe('2031-03-01');
  const used = await server.post('/detokenize', `{{ ${created.id} | replace: 'x', 'now' | date: '%d.%m.' }}`);
  expect(used.body).toBe('01.03.');
  const found = await server.post('/tokens/search', { query: 'data:"2031-02-28"' });
  expect(idsIn(found)).toEqual([created.id]);
});
