import { beforeAll, describe, expect, it, test } from 'vitest';
import { refusal, useServer } from '../../../support/test-server.js';

const server = useServer();
const count = async () => (await server.get('/tokens')).body.pagination.total_items as number;

it.each<[string, unknown, string[]]>([
  ['a null', { a: [1, null] }, ['a.1']],
  ['null itself', null, ['body']],
  ['an invalid request', ['x', { type: 'card', data: { number: '1' } }], ['1.data.number']],
  ['an unknown type', { a: { type: 'x', data: 1 } }, ['a.type']],
  ['an unknown property', { type: 'token', data: 1, more: 1 }, ['more']],
  ['a failing mask', { a: { type: 'token', data: 1, mask: '{{ data' } }, ['a.mask']],
  ['several', { a: null, b: { type: 'token', data: null } }, ['a', 'b.data']],
])('POST /tokenize: all or nothing: %s', async (_name, body, paths) => {
  const before = await count();
  expect(refusal(await server.post('/tokenize', body))).toEqual([400, paths]);
  expect(await count()).toBe(before);
});

it('POST /tokenize lets other requests be answered between the parts of a long one', async () => {
  // Without fingerprints, no expression is evaluated, whose bound of a second a busy machine may reach.
  const settings = (fingerprint_tokens: string) =>
    server.put('/tenants/self', { name: 'one', settings: { fingerprint_tokens } }, { as: 'management' });
  expect((await settings('false')).status).toBe(200);
  const { id } = await server.token({ type: 'token', data: 'small' });
  const answered: string[] = [];
  const long = server.post('/tokenize', Array(10_000).fill(1)).finally(() => answered.push('long'));
  // The first of them may be read before it.
  for (let i = 0; i < 3; i++) {
    await server.get(`/tokens/${id}`);
    answered.push('other');
  }
  expect((await long).status).toBe(200);
  expect(answered).toEqual(['other', 'other', 'other', 'long']);
  await settings('true');
});

it('POST /tokenize fails as a whole if an id is taken, in the store or within the request', async () => {
  await server.token({ type: 'token', data: 1, id: 'tokenize-taken' });
  const before = await count();
  const request = (id: string) => ({ type: 'token', data: 1, id });
  const taken = await server.post('/tokenize', [
    'x',
    request('tokenize-taken'),
    'y',
    request('tokenize-taken'),
  ]);
  expect(refusal(taken)).toEqual([409, ['1.id', '3.id']]);
  const twice = await server.post('/tokenize', { a: request('twice-1'), b: request('twice-1') });
  expect(refusal(twice)).toEqual([409, ['b.id']]);
  expect(await count()).toBe(before);
});

it('POST /tokenize stores duplicates of stored tokens and of one another once', async () => {
  const request = { type: 'token', data: 'tokenize-same', deduplicate_token: true };
  const { body } = await server.post('/tokenize', [request, request]);
  expect(body[0].id).toBe(body[1].id);
  expect((await server.post('/tokenize', { again: request })).body.again.id).toBe(body[0].id);
});

it('POST /tokenize treats a part as a duplicate of an equal part before it that is stored in any case', async () => {
  const plain = { type: 'token', data: 'tokenize-plain' };
  const { status, body } = await server.post('/tokenize', [plain, { ...plain, deduplicate_token: true }]);
  expect(status).toBe(200);
  expect(body[1].id).toBe(body[0].id);
});

it('POST /tokenize checks the containers of every part', async () => {
  const key = await server.application({
    rules: [{ priority: 1, container: '/general/', transform: 'mask', permissions: ['token:create'] }],
  });
  const before = await count();
  const body = ['fine', { type: 'card_number', data: '4242424242424242' }];
  expect((await server.post('/tokenize', body, { key })).status).toBe(403);
  expect(await count()).toBe(before);
  expect((await server.post('/tokenize', ['fine'], { key })).status).toBe(200);
});

describe('POST /detokenize', () => {
  const CARD = { number: '4242424242424242', expiration_month: 3 };
  const ODD = "it's 50$ a.b: c";
  const TOKENS = [
    { id: 'card-1', type: 'card', data: CARD },
    { id: 'text', type: 'token', data: 'secret', metadata: { a: 'b' }, mask: 'x' },
    { id: 'number', type: 'token', data: 5 },
    { id: ODD, type: 'token', data: [1, 2] },
  ];
  beforeAll(async () => {
    for (const token of TOKENS) await server.token(token);
  });

  it.each<[unknown, unknown]>([
    [{ a: '{{text}}' }, { a: 'secret' }],
    [{ a: '{{ card-1 }}' }, { a: CARD }],
    [
      ['{{ number }}', { b: ['n={{number}}'] }],
      [5, { b: ['n=5'] }],
    ],
    [`{{ ${ODD} }}`, [1, 2]],
    [`{{ ${ODD} | first }}!`, '1!'],
    ["{{ card-1 | json: '$.number' | last4 }}", '4242'],
    ["{{ token: text | json: '$.data' }}", 'secret'],
    ["{{token: text | json: '$.metadata.a'}}", 'b'],
    ['card {{ card-1 }}', `card ${JSON.stringify(CARD)}`],
    ['{{ text }}{{ text | upcase }}', 'secretSECRET'],
    ["{{ text | append: '}}' }}", 'secret}}'],
    ["{{ card-1 | json: '$.number' | slice: 99 }}", ''],
    [
      { plain: 'a } b', n: 1, none: null, list: [true] },
      { plain: 'a } b', n: 1, none: null, list: [true] },
    ],
  ])('replaces the expressions of %j', async (body, expected) => {
    expect(await server.post('/detokenize', body)).toMatchObject({ status: 200, body: expected });
  });

  it.each<[unknown, string]>([
    [{ a: { b: ['{{ text'] } }, 'a.b.0'],
    [{ a: '{{ }}' }, 'a'],
    [{ a: '{{ token: }}' }, 'a'],
    [{ a: '{{ text | nope }}' }, 'a'],
    [{ a: '{{ text | }}' }, 'a'],
    [{ a: '{{ text } }}' }, 'a'],
    [{ a: '{{{text}}}' }, 'a'],
    [{ a: '{% if text %}{% endif %}' }, 'a'],
    ['{{ text } and more', 'body'],
    [['x', '{{ unknown-token }}'], '1'],
    [{ a: ['{{ card-1 | last4 }}'] }, 'a.0'],
  ])('refuses %j at its place, without data', async (body, path) => {
    const answer = await server.post('/detokenize', body);
    expect(refusal(answer)).toEqual([400, [path]]);
    expect(JSON.stringify([answer.body.detail, answer.body.errors])).not.toContain('4242');
  });

  it('at most 100 distinct tokens', async () => {
    const ids = await server.post(
      '/tokenize',
      Array.from({ length: 101 }, (_, index) => index),
    );
    const expressions = ids.body.map((id: string) => `{{ ${id} }}`);
    expect((await server.post('/detokenize', expressions)).status).toBe(400);
    const hundred = [...expressions.slice(0, 100), ...expressions.slice(0, 100)];
    expect((await server.post('/detokenize', hundred)).body).toEqual([
      ...Array(100).keys(),
      ...Array(100).keys(),
    ]);
  });

  it('the data of all tokens together has at most 16 MB', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 4; i += 1)
      ids.push((await server.token({ type: 'token', data: 'x'.repeat(5_000_000) })).id);
    const lengths = (count: number) => ids.slice(0, count).map((id) => `{{ ${id} | size }}`);
    expect((await server.post('/detokenize', lengths(3))).body).toEqual([5_000_000, 5_000_000, 5_000_000]);
    const { status, body } = await server.post('/detokenize', lengths(4));
    const message = 'may refer to tokens with at most 16777216 characters of data together';
    expect([status, body.errors]).toEqual([400, { body: [message] }]);
    const key = await server.application({ permissions: ['token:create'] });
    expect((await server.post('/detokenize', lengths(4), { key })).status).toBe(403);
  });

  it('very many values count as long, however short they are', async () => {
    const { id } = await server.token({ type: 'token', data: Array.from({ length: 90_000 }, () => []) });
    const { status, body } = await server.post('/detokenize', Array(7).fill(`{{ ${id} }}`));
    const message = 'the results of the expressions of the request are longer than 10485760 characters';
    expect([status, body.errors]).toEqual([400, { '6': [message] }]);
  });
});

test('the containers of all tokens of a request have at most 500,000 levels', async () => {
  const container = `/${Array(190).fill('a').join('/')}/`;
  const tokens = (count: number) =>
    Array.from({ length: count }, () => ({ type: 'token', data: 1, containers: [container] }));
  const refused = await server.post('/tokenize', tokens(2_700));
  expect(refusal(refused)).toEqual([400, ['containers']]);
  expect((await server.post('/tokenize', tokens(10))).status).toBe(200);
});
