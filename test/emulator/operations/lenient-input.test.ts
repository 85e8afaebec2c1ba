import { describe, expect, test } from 'vitest';
import {
  controlOf,
  createApplication,
  createReactor,
  type TestServer,
  useServer,
} from '../../support/test-server.js';

const strict = useServer();
const lenient = useServer({ lenient: true });

const REACTOR = {
  name: 'bare',
  code: 'module.exports = async ({ configuration }) => ({ raw: configuration });',
};
const ECHO = 'async ({ args }) => ({ raw: args })';
const CARD = { number: '4242424242424242', expiration_month: '06', expiration_year: '2030' };
const STORED = { expiration_month: 6, expiration_year: 2030 };

const PROXY = { name: 'p', destination_url: 'https://destination.example' };
const TOKEN = { type: 'card', data: CARD };
const as = 'management';

/** Invokes a reactor that has an application. */
async function react(server: TestServer, code: string, args: unknown, how = 'react') {
  const { id: application } = await createApplication(server, {
    permissions: ['token:create', 'token:read'],
  });
  const id = await createReactor(server, `module.exports = ${code};`, { application: { id: application } });
  return server.post(`/reactors/${id}/${how}`, { args });
}

/** Each row of docs/fidelity.md, "With `--lenient`", as a request. */
const REQUESTS: Record<string, (server: TestServer) => ReturnType<TestServer['get']>> = {
  'a reactor without configuration': (server) => server.post('/reactors', REACTOR, { as }),
  'a reactor with a configuration of null': (server) =>
    server.post('/reactors', { ...REACTOR, configuration: null }, { as }),
  'a card that expires in strings': (server) => server.post('/tokens', TOKEN),
  'such a card in a token intent': (server) => server.post('/token-intents', TOKEN),
  'such a card within /tokenize': (server) => server.post('/tokenize', { cards: [TOKEN] }),
  'such a card that a reactor returns to be tokenized': (server) =>
    react(server, 'async ({ args }) => ({ tokenize: args })', { card: TOKEN }),
  'such a card that a reactor creates through svc': (server) =>
    react(server, 'async ({ args, svc }) => ({ raw: await svc.tokens.create(args) })', TOKEN),
  'such a card that a reactor tokenizes through svc': (server) =>
    react(server, 'async ({ args, svc }) => ({ raw: await svc.tokenize(args) })', { card: TOKEN }),
  'the type of a token intent': async (server) => {
    const { body } = await server.post('/token-intents', { type: 'token', data: 1 });
    return server.post('/tokens', { token_intent_id: body.id, type: 'token' });
  },
  'an encryption of null': (server) => server.post('/tokens', { type: 'token', data: 1, encrypted: null }),
  'an encryption of null within /tokenize': (server) =>
    server.post('/tokenize', [{ type: 'token', data: 1, encrypted: null }]),
  'properties that are null and may not be': (server) =>
    server.post(
      '/proxies',
      { ...PROXY, request_transforms: [{ code: REACTOR.code, expression: null, options: null }] },
      { as },
    ),
  'properties that it does not know': (server) =>
    server.post('/tokens', { type: 'token', data: 1, residency: { region: 'eu' } }),
  'such properties within /tokenize': (server) =>
    server.post('/tokenize', { a: { type: 'token', data: 1, residency: { region: 'eu' } } }),
  'args that are an array': (server) => react(server, ECHO, [1, '2']),
  'args of react-async that are an array': (server) => react(server, ECHO, [1, '2'], 'react-async'),
  'metadata={"key":"value"}': (server) => server.get(`/tokens?metadata=${encodeURIComponent('{"lot":"a"}')}`),
};
for (const list of ['applications', 'reactors', 'proxies', 'webhooks', 'logs'])
  REQUESTS[`start of the first page of ${list}`] = (server) => server.get(`/${list}?start=&size=5`, { as });

/** What is refused after the request itself was found valid does not name the flag. */
const VALIDATED_LATER = /^a card|such a card|within \/tokenize/;

describe('docs/fidelity.md, With --lenient', () => {
  test.each(Object.entries(REQUESTS))('%s is accepted with the flag only', async (what, send) => {
    const refused = await send(strict);
    expect(refused.status).toBe(400);
    if (!VALIDATED_LATER.test(what)) expect(refused.body.detail).toContain('--lenient');
    expect((await send(lenient)).status).toBeLessThan(300);
  });

  test('what a request means is not ignored; what is ignored is in its record, and without the flag in the error', async () => {
    const refused = [
      ['/tokens', { type: 'token', data: 1, encrypted: 'x' }],
      ['/proxies', { ...PROXY, request_transforms: [{ type: 'mask', matcher: 'regex' }] }],
      ['/tokenize', [{ type: 'token', data: 1, encrypted: 'x' }]],
    ] as const;
    for (const [path, body] of refused)
      expect((await lenient.post(path, body, path === '/proxies' ? { as } : {})).status, path).toBe(400);
    const body = { type: 'token', data: 1, metadata: {}, residency: { region: 'eu' } };
    const headers = { 'SVC-TRACE-ID': 'ignored-1' };
    await lenient.post('/tokens', body, { headers });
    const { requests } = (await controlOf(lenient).get('/requests')).body;
    expect(requests.find((one: { trace_id: string }) => one.trace_id === 'ignored-1').ignored).toEqual([
      'residency',
    ]);
  });

  test('the expiration of a card is stored as integers, on create and update', async () => {
    const { id } = await lenient.token({ type: 'card', data: CARD });
    expect((await lenient.get(`/tokens/${id}`)).body.data).toMatchObject(STORED);
    await lenient.patch(`/tokens/${id}`, { data: { expiration_month: '12' } });
    expect((await lenient.get(`/tokens/${id}`)).body.data.expiration_month).toBe(12);
    const { body } = await lenient.post('/tokenize', { cards: [{ type: 'card', data: CARD }] });
    expect(body.cards[0].card).toMatchObject(STORED);
  });

  test('only cards are converted', async () => {
    const { id } = await lenient.token({ type: 'token', data: { expiration_month: '06' } });
    expect((await lenient.get(`/tokens/${id}`)).body.data).toEqual({ expiration_month: '06' });
    await lenient.patch(`/tokens/${id}`, { data: { expiration_month: '07' } });
    expect((await lenient.get(`/tokens/${id}`)).body.data).toEqual({ expiration_month: '07' });
  });

  test('the filters find what metadata.key=value finds', async () => {
    const { id } = await lenient.token({ type: 'token', data: 1, metadata: { 'a.b': 'Deep Blue', c: '1' } });
    await lenient.token({ type: 'token', data: 1, metadata: { c: '1' } });
    const json = encodeURIComponent('{"a.b":"deep blue","c":"1"}');
    const { body } = await lenient.get(`/tokens?metadata=${json}`);
    expect(body.data.map((token: { id: string }) => token.id)).toEqual([id]);
  });

  test('a reactor gets an array with its expressions replaced', async () => {
    const { id } = await lenient.token({ type: 'token', data: 'x' });
    const { body } = await react(lenient, ECHO, [`{{ ${id} }}`, 2]);
    expect(body).toEqual({ raw: ['x', 2] });
  });

  test('a client that follows pagination.next sees each object once', async () => {
    const ids = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await lenient.post('/reactors', REACTOR, { as })).body.id);
    const filter = ids.map((id) => `id=${id}`).join('&');
    const seen = [];
    let start: string | undefined = '';
    while (start !== undefined) {
      const { body } = await lenient.get(`/reactors?${filter}&size=2&start=${start}`, { as });
      seen.push(body.data.map((reactor: { id: string }) => reactor.id));
      start = body.pagination.next;
    }
    expect(seen.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(seen.flat().toSorted()).toEqual(ids.toSorted());
  });

  test('a page counts from start, and only a request with start is told the next one', async () => {
    for (let n = 0; n < 3; n += 1) await lenient.post('/reactors', REACTOR, { as });
    const list = async (query: string) => (await lenient.get(`/reactors?size=1&${query}`, { as })).body;
    const { next } = (await list('start=')).pagination;
    expect((await list(`start=${next}&page=2`)).data).toEqual((await list('page=3')).data);
    expect((await list('page=1')).pagination).not.toHaveProperty('next');
  });

  test.each([
    ...['start=x', 'start=&page=0', 'start=&page=x', 'start=&start='].map((query) => `/reactors?${query}`),
    ...['metadata={"a":1}', 'metadata=x', 'metadata=[1]', 'type[a]=token'].map((query) => `/tokens?${query}`),
  ])('%s is still 400', async (path) => {
    expect((await lenient.get(path, { as: path.startsWith('/tokens') ? 'private' : as })).status).toBe(400);
  });

  test('a card with an impossible month is still 400', async () => {
    const token = { type: 'card', data: { ...CARD, expiration_month: '13' } };
    expect((await lenient.post('/tokens', token)).status).toBe(400);
  });
});

test('what the family adds to answers is left out for clients that keep to the specification', async () => {
  const seen = async (server: TestServer) => {
    const applied = await createApplication(server, { permissions: ['token:read'] });
    const reactor = await server.post('/reactors', { ...REACTOR, configuration: {} }, { as });
    const proxy = await server.post('/proxies', PROXY, { as });
    const { body } = await server.get(`/applications/${applied.id}`, { as });
    return [body.keys?.length, reactor.body.state, proxy.body.state];
  };
  expect(await seen(strict)).toEqual([undefined, undefined, undefined]);
  expect(await seen(lenient)).toEqual([1, 'active', 'active']);
});
