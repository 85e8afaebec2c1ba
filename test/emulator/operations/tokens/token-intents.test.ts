import { describe, expect, test } from 'vitest';
import { useReceiver } from '../../../support/http-server.js';
import { useServer } from '../../../support/test-server.js';

const server = useServer();
const receiver = useReceiver();
const DATA = 'data-that-no-event-holds';

async function intent(body: object = { type: 'token', data: DATA }): Promise<string> {
  const answer = await server.post('/token-intents', body, { as: 'public' });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.id;
}

const convert = (id: string, more: object = {}) => server.post('/tokens', { token_intent_id: id, ...more });

describe('decisions.md, The family as it is today: token intents', () => {
  test('of concurrent conversions one succeeds', async () => {
    const id = await intent();
    const statuses = (await Promise.all(Array.from({ length: 5 }, () => convert(id)))).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([201, 400, 400, 400, 400]);
  });

  test('a conversion that fails leaves the intent', async () => {
    const id = await intent();
    await server.token({ type: 'token', data: 1, id: 'taken' });
    expect((await convert(id, { id: 'taken' })).status).toBe(409);
    expect((await server.post('/tokenize', { a: { token_intent_id: id }, b: null })).status).toBe(400);
    expect((await server.post('/tokenize', [{ token_intent_id: id }, { token_intent_id: id }])).status).toBe(
      400,
    );
    const { body } = await server.post('/tokenize', { a: { token_intent_id: id, id: 'new' }, b: 'two' });
    expect(body.a.id).toBe('new');
    expect((await server.get('/tokens/new')).body.data).toBe(DATA);
  });

  test('errors name the properties of the request that was meant', async () => {
    const id = await intent();
    const errorsOf = async (body: object) => Object.keys((await server.post('/tokens', body)).body.errors);
    expect(await errorsOf({ token_intent_id: id, unknown: 1 })).toEqual(['unknown']);
    expect(await errorsOf({ token_intent_id: id, type: 'token' })).toEqual(['type']);
    expect(await errorsOf({ token_intent_id: 'x' })).toEqual(['token_intent_id']);
    expect(await errorsOf({ token_intent_id: id, type: 'token', data: 1 })).toEqual(['token_intent_id']);
    expect(await errorsOf({})).toEqual(['type', 'data']);
  });

  test('it expires after 24 hours of the clock; its events never hold its data', async () => {
    const events = ['token-intent.created', 'token-intent.converted', 'token-intent.expired'];
    const hook = { name: 'intents', url: receiver.url, events };
    await server.post('/webhooks', hook, { as: 'management' });
    const [converted, expired] = [await intent(), await intent()];
    await convert(converted);
    await server.emulator.clock.advance(86_400_000);
    expect((await convert(expired)).status).toBe(400);
    expect((await server.get(`/token-intents/${expired}`)).status).toBe(404);
    await server.emulator.clock.advance(60_000);
    await receiver.arrived(4);
    const sent = receiver.bodies().map(({ event }) => [event.type, event.data.token_intent.id]);
    expect(sent).toEqual(
      expect.arrayContaining([
        ['token-intent.created', converted],
        ['token-intent.converted', converted],
        ['token-intent.created', expired],
        ['token-intent.expired', expired],
      ]),
    );
    expect(receiver.received.map(({ body }) => body).join()).not.toContain(DATA);
  });

  test('the stored response that shows its fingerprint goes with it', async () => {
    const create = async () => {
      const headers = { 'SVC-IDEMPOTENCY-KEY': 'create' };
      return (await server.post('/token-intents', { type: 'token', data: DATA }, { as: 'public', headers }))
        .body;
    };
    const { id } = await create();
    expect((await create()).id).toBe(id);
    await server.delete(`/token-intents/${id}`);
    expect((await create()).id).not.toBe(id);
  });

  test('a proxy fills it in, and a stored response with its data goes with it', async () => {
    const id = await intent();
    const headers = { 'SVC-PROXY-URL': receiver.url };
    await server.post('/proxy', { note: `{{ token_intent: ${id} | json: '$.data' }}` }, { headers });
    expect(receiver.received.at(-1)?.body).toBe(JSON.stringify({ note: DATA }));
    const read = () =>
      server.post('/detokenize', `{{ token_intent: ${id} }}`, { headers: { 'SVC-IDEMPOTENCY-KEY': 'one' } });
    expect((await read()).body.data).toBe(DATA);
    const { body } = await server.get(`/logs?entity_id=${id}&operation=use`, { as: 'management' });
    expect(body.data.map(({ transform }: { transform: string }) => transform)).toEqual(['reveal', 'reveal']);
    await convert(id);
    expect((await read()).status).toBe(400);
  });
});
