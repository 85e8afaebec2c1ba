import { describe, expect, test } from 'vitest';
import { type TestServer, useServer } from '../../support/test-server.js';

const strict = useServer();
const lenient = useServer({ lenient: true });

const REACTOR = {
  name: 'bare',
  code: 'module.exports = async ({ configuration }) => ({ raw: configuration });',
};
const CARD = { number: '4242424242424242', expiration_month: '06', expiration_year: '2030' };
const STORED = { expiration_month: 6, expiration_year: 2030 };

/** Invokes a reactor that has an application. */
async function react(server: TestServer, code: string, args: unknown, how = 'react') {
  const access = { name: 'svc', type: 'private', permissions: ['token:create', 'token:read'] };
  const application = await server.post('/applications', access, { as: 'management' });
  const reactor = {
    name: 'one',
    code: `module.exports = ${code};`,
    configuration: {},
    application: { id: application.body.id },
  };
  const { id } = (await server.post('/reactors', reactor, { as: 'management' })).body;
  return server.post(`/reactors/${id}/${how}`, { args });
}

/** Each row of docs/fidelity.md, "With `--lenient`", as a request. */
const REQUESTS: [string, (server: TestServer) => ReturnType<TestServer['get']>][] = [
  ['a reactor without configuration', (server) => server.post('/reactors', REACTOR, { as: 'management' })],
  [
    'a reactor with a configuration of null',
    (server) => server.post('/reactors', { ...REACTOR, configuration: null }, { as: 'management' }),
  ],
  ['a card that expires in strings', (server) => server.post('/tokens', { type: 'card', data: CARD })],
  [
    'such a card within /tokenize',
    (server) => server.post('/tokenize', { cards: [{ type: 'card', data: CARD }] }),
  ],
  [
    'such a card that a reactor returns to be tokenized',
    (server) =>
      react(server, 'async ({ args }) => ({ tokenize: args })', { card: { type: 'card', data: CARD } }),
  ],
  [
    'such a card that a reactor creates through svc',
    (server) =>
      react(server, 'async ({ args, svc }) => ({ raw: await svc.tokens.create(args) })', {
        type: 'card',
        data: CARD,
      }),
  ],
  [
    'such a card that a reactor tokenizes through svc',
    (server) =>
      react(server, 'async ({ args, svc }) => ({ raw: await svc.tokenize(args) })', {
        card: { type: 'card', data: CARD },
      }),
  ],
  ['args that are an array', (server) => react(server, 'async ({ args }) => ({ raw: args })', [1, '2'])],
  [
    'args of react-async that are an array',
    (server) => react(server, 'async ({ args }) => ({ raw: args })', [1, '2'], 'react-async'),
  ],
  [
    'metadata={"key":"value"}',
    (server) => server.get(`/tokens?metadata=${encodeURIComponent('{"lot":"a"}')}`),
  ],
  ...['applications', 'reactors', 'proxies', 'webhooks', 'logs'].map((list): (typeof REQUESTS)[number] => [
    `start of the first page of ${list}`,
    (server) => server.get(`/${list}?start=&size=5`, { as: 'management' }),
  ]),
];

describe('docs/fidelity.md, With --lenient', () => {
  test.each(REQUESTS)('%s is accepted with the flag only', async (_what, send) => {
    expect((await send(strict)).status).toBe(400);
    expect((await send(lenient)).status).toBeLessThan(300);
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
    const { body } = await react(lenient, 'async ({ args }) => ({ raw: args })', [`{{ ${id} }}`, 2]);
    expect(body).toEqual({ raw: ['x', 2] });
  });

  test('a client that follows pagination.next sees each object once', async () => {
    const ids = [];
    for (let n = 0; n < 5; n += 1)
      ids.unshift((await lenient.post('/reactors', REACTOR, { as: 'management' })).body.id);
    const filter = ids.map((id) => `id=${id}`).join('&');
    const seen = [];
    let start: string | undefined = '';
    while (start !== undefined) {
      const { body } = await lenient.get(`/reactors?${filter}&size=2&start=${start}`, { as: 'management' });
      seen.push(body.data.map((reactor: { id: string }) => reactor.id));
      start = body.pagination.next;
    }
    expect(seen.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(seen.flat().toSorted()).toEqual(ids.toSorted());
  });

  test('a page counts from start, and only a request with start is told the next one', async () => {
    for (let n = 0; n < 3; n += 1) await lenient.post('/reactors', REACTOR, { as: 'management' });
    const list = async (query: string) =>
      (await lenient.get(`/reactors?size=1&${query}`, { as: 'management' })).body;
    const { next } = (await list('start=')).pagination;
    expect((await list(`start=${next}&page=2`)).data).toEqual((await list('page=3')).data);
    expect((await list('page=1')).pagination).not.toHaveProperty('next');
  });

  test.each(['start=x', 'start=&page=0', 'start=&page=x', 'start=&start='])(
    'a list with %s is still 400',
    async (query) => {
      expect((await lenient.get(`/reactors?${query}`, { as: 'management' })).status).toBe(400);
    },
  );

  test.each(['metadata={"a":1}', 'metadata=x', 'metadata=[1]', 'type[a]=token'])(
    '%s is still 400',
    async (query) => {
      expect((await lenient.get(`/tokens?${query}`)).status).toBe(400);
    },
  );

  test('a card with an impossible month is still 400', async () => {
    const { status } = await lenient.post('/tokens', {
      type: 'card',
      data: { ...CARD, expiration_month: '13' },
    });
    expect(status).toBe(400);
  });
});
