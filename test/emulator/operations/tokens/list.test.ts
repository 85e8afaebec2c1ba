import { beforeAll, describe, expect, it } from 'vitest';
import { idsIn, refusal, useServer } from '../../../support/test-server.js';

const server = useServer();

const ids = async (query: string, options = {}) =>
  idsIn(await server.get(`/tokens?${query}`, options)) as string[];

beforeAll(async () => {
  server.emulator.clock.freeze();
  for (const n of [1, 2, 3, 4, 5]) {
    await server.token({
      type: 'token',
      data: n,
      id: `list-${n}`,
      metadata: { Group: n < 4 ? 'First' : 'second', n: String(n) },
      containers: [n < 3 ? '/a/b/' : '/c/'],
    });
    await server.emulator.clock.advance(1_000);
  }
  await server.token({ type: 'card_number', data: '4242424242424242', id: 'list-z' });
  await server.token({ type: 'card_number', data: '4242424242424242', id: 'list-y' });
});

const all = ['list-y', 'list-z', 'list-5', 'list-4', 'list-3', 'list-2', 'list-1'];

it('GET /tokens orders by created_at descending, then id ascending', async () =>
  expect(await ids('')).toEqual(all));

it.each<[string, string[]]>([
  ['id=list-1', ['list-1']],
  ['id=list-1&id=list-5&id=list-1&id=unknown', ['list-5', 'list-1']],
  // exact and case-insensitive values; keys exactly
  ['metadata.Group=Firs', []],
  // several are ANDed
  ['metadata.Group=second&metadata.n=2', []],
  // repeated keys are ignored: the first counts
  // decisions.md, "Metadata filters"
  ['metadata[Group]=first&metadata[n]=2', ['list-2']],
  ['metadata%5BGroup%5D=first&metadata.n=2', ['list-2']],
  ['metadata[n]=2&metadata.n=3', ['list-2']],
  ['metadata.n=2&id=list-3', []],
  ['container=/A/b/', ['list-2', 'list-1']],
  ['container=/a/b/c/', []],
  ['container=/', all],
  ['container=/c/&metadata.n=3', ['list-3']],
])('GET /tokens: %s', async (query, expected) => expect(await ids(query)).toEqual(expected));

it.each<[string, string]>([
  ['size=101', 'query.size'],
  ['size=x', 'query.size'],
  ['size=1.5', 'query.size'],
  ['size=', 'query.size'],
  ['size=1&size=2', 'query.size'],
  ['page=-1', 'query.page'],
  ['page=9007199254740992', 'query.page'],
  ['type=unknown', 'query.type'],
  ['container=a', 'query.container'],
  ['metadata=x', 'query.metadata'],
  ['metadata=x&metadata.n=2', 'query.metadata'],
])('GET /tokens: %s is 400', async (query, path) => {
  expect(refusal(await server.get(`/tokens?${query}`))).toEqual([400, [path]]);
});

it('GET /tokens: id may repeat up to 100 times', async () => {
  const query = (count: number) => Array.from({ length: count }, (_, n) => `id=list-${n}`).join('&');
  expect((await server.get(`/tokens?${query(100)}`)).status).toBe(200);
  expect((await server.get(`/tokens?${query(101)}`)).status).toBe(400);
});

it('GET /tokens: pages: a page past the end is empty, with no items total_pages is 0', async () => {
  const page = async (query: string) => (await server.get(`/tokens?${query}`)).body;
  expect(await page('page=2&size=3')).toMatchObject({
    pagination: { total_items: 7, page_number: 2, page_size: 3, total_pages: 3 },
    data: all.slice(3, 6).map((id) => ({ id })),
  });
  expect((await page('page=9&size=3')).pagination).toEqual({
    total_items: 7,
    page_number: 9,
    page_size: 3,
    total_pages: 3,
  });
  expect((await page('page=9&size=3')).data).toEqual([]);
  expect((await page(`page=${Number.MAX_SAFE_INTEGER}&size=3`)).data).toEqual([]);
  expect((await page('id=unknown')).pagination).toEqual({
    total_items: 0,
    page_number: 1,
    page_size: 20,
    total_pages: 0,
  });
});

it('GET /tokens: a later page does not change while tokens are added before it', async () => {
  const before = await ids('page=2&size=3');
  await server.token({ type: 'token', data: 1, id: 'list-new' });
  expect(await ids('page=2&size=3')).toEqual([all[2], ...before.slice(0, 2)]);
  await server.delete('/tokens/list-new');
});

it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', ''])(
  'every metadata key filters, whatever its name: %s',
  async (name) => {
    await server.token({ type: 'token', data: 'x', metadata: { other: 'x' } });
    const listed = await server.get(`/tokens?metadata.${name}=x`);
    expect([listed.status, listed.body.data]).toEqual([200, []]);
    const found = await server.post('/tokens/search', { query: `metadata.${name || 'none'}:x` });
    expect([found.status, found.body.data]).toEqual([200, []]);
    const wild = await server.post('/tokens/search', { query: `metadata.${name || 'none'}:*` });
    expect([wild.status, wild.body.data]).toEqual([200, []]);
  },
);

it('every metadata key filters, whatever its name: finds a token by such a key', async () => {
  const { id } = await server.token({
    type: 'token',
    data: 'x',
    metadata: { constructor: 'y', toString: 'z' },
  });
  const { body } = await server.get('/tokens?metadata.constructor=Y&metadata.toString=z');
  expect(body.data.map((token: { id: string }) => token.id)).toEqual([id]);
});

describe('decisions.md, Pagination: a response has at most 32 MB', () => {
  it('refuses a page of tokens that are longer together, not a smaller one', async () => {
    const rules = [{ priority: 1, container: '/large/', transform: 'reveal', permissions: ['token:read'] }];
    const key = await server.application({ rules });
    const data = 'x'.repeat(5_000_000);
    for (let count = 0; count < 7; count++)
      await server.token({ type: 'token', data, containers: ['/large/'], fingerprint_expression: 'x' });
    const refused = await server.get('/tokens?size=7', { key });
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      { 'query.size': [expect.stringContaining('ask for fewer')] },
    ]);
    const accepted = await server.get('/tokens?size=6', { key });
    expect([accepted.status, accepted.body.data.length]).toEqual([200, 6]);
  });
});
