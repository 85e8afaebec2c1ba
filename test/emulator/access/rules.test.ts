import { describe, expect, test } from 'vitest';
import type { Token } from '../../../src/contract/schemas/index.js';
import { useServer } from '../../support/test-server.js';

const server = useServer();

interface RuleSpec {
  container: string;
  permissions: string[];
  transform?: 'redact' | 'mask' | 'reveal';
  priority?: number;
}

const withRules = (...rules: RuleSpec[]) =>
  server.application({ rules: rules.map((rule) => ({ priority: 1, transform: 'reveal', ...rule })) });

const card = { number: '4242424242424242', expiration_month: 12, expiration_year: 2031 };
const masked = { ...card, number: 'XXXXXXXXXXXX4242' };
const newCard = (containers?: string[]) =>
  server.token({ type: 'card', data: card, ...(containers && { containers }) });

describe('decisions.md, Containers and access controls: transforms', () => {
  test.each([
    ['reveal', card],
    ['mask', masked],
    ['redact', undefined],
  ] as const)('%s, on every operation that returns data', async (transform, expected) => {
    const { id } = await newCard();
    const key = await withRules({ container: '/', transform, permissions: ['token:read', 'token:search'] });
    expect((await server.get(`/tokens/${id}`, { key })).body.data).toEqual(expected);
    expect((await server.get(`/tokens?id=${id}`, { key })).body.data[0].data).toEqual(expected);
    const found = await server.post('/tokens/search', { query: `id:"${id}"` }, { key });
    expect(found.body.data[0].data).toEqual(expected);
  });

  test('create shows masked data whatever the transform, update only to who may read it masked or revealed', async () => {
    const key = await withRules({
      container: '/',
      transform: 'reveal',
      permissions: ['token:create', 'token:update'],
    });
    const created = await server.post('/tokens', { type: 'card', data: card }, { key });
    expect(created.body.data).toEqual(masked);
    const updated = await server.patch(`/tokens/${created.body.id}`, { metadata: { a: 'b' } }, { key });
    expect(updated.body.data).toBeUndefined();
  });

  test('code receives the raw data, whatever the transform', async () => {
    const { id } = await newCard();
    const key = await withRules({ container: '/', transform: 'redact', permissions: ['token:use'] });
    expect((await server.post('/detokenize', `{{ ${id} }}`, { key })).body).toEqual(card);
  });
});

describe('decisions.md, Containers and access controls: rules', () => {
  test.each([
    ['/', true],
    ['/pci/', true],
    ['/pci/high/', true],
    ['/PCI/High/', true],
    ['/pci/high/cards/', false],
    ['/pc/', false],
    ['/pci/low/', false],
  ])('a grant on %s covers a token in /pci/high/: %s', async (container, covered) => {
    const { id } = await newCard(['/pci/high/']);
    const key = await withRules({ container, permissions: ['token:read'] });
    expect((await server.get(`/tokens/${id}`, { key })).status).toBe(covered ? 200 : 403);
    const list = await server.get(`/tokens?id=${id}`, { key });
    expect(list.body.pagination.total_items).toBe(covered ? 1 : 0);
  });

  test('in lists and searches the tokens that no rule covers are left out and not counted', async () => {
    for (const container of ['/c/high/', '/c/low/', '/c/none/'])
      await server.token({ type: 'card', data: card, containers: [container], search_indexes: ['covered'] });
    const permissions = ['token:read', 'token:search'];
    const key = await withRules(
      { container: '/c/high/', transform: 'mask', permissions, priority: 1 },
      { container: '/c/low/', transform: 'reveal', permissions, priority: 2 },
    );
    for (const { body } of [
      await server.get('/tokens', { key }),
      await server.post('/tokens/search', { query: 'data:covered' }, { key }),
    ]) {
      expect(body.pagination.total_items).toBe(2);
      const shown = body.data.map(({ containers, data }: Token) => [containers[0], data]);
      expect(Object.fromEntries(shown)).toEqual({ '/c/high/': masked, '/c/low/': card });
    }
  });

  test('creating needs token:create on each container, the default ones too', async () => {
    const key = await withRules({ container: '/a/', permissions: ['token:create'] });
    const create = async (containers?: string[]) =>
      (await server.post('/tokens', { type: 'token', data: 1, containers }, { key })).status;
    expect(await create(['/a/b/'])).toBe(201);
    expect(await create(['/b/'])).toBe(403);
    expect(await create(['/a/', '/b/'])).toBe(403);
    expect(await create()).toBe(403);
  });

  test('reading, updating and deleting need one covered container of the token', async () => {
    const { id } = await newCard(['/a/', '/b/']);
    const permissions = ['token:read', 'token:update', 'token:delete'];
    const key = await withRules({ container: '/b/', permissions });
    expect((await server.get(`/tokens/${id}`, { key })).status).toBe(200);
    expect((await server.patch(`/tokens/${id}`, { metadata: { x: 'y' } }, { key })).status).toBe(200);
    expect((await server.delete(`/tokens/${id}`, { key })).status).toBe(204);
  });
});
