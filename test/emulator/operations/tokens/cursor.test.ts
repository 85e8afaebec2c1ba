import { describe, expect, test } from 'vitest';
import type { Token } from '../../../../src/contract/schemas/index.js';
import { useServer } from '../../../support/test-server.js';

const server = useServer();

type Page = { pagination: { next?: string; page_size: number }; data: Token[] };

/** Reads every page. @param between is called after each page */
async function everyPage(
  fetchPage: (start: string | undefined) => Promise<Page>,
  between: (page: Page) => Promise<unknown> = async () => {},
): Promise<string[]> {
  const ids: string[] = [];
  let start: string | undefined;
  do {
    const page = await fetchPage(start);
    ids.push(...page.data.map(({ id }) => id));
    await between(page);
    start = page.pagination.next;
  } while (start !== undefined);
  return ids;
}

const list =
  (query: string) =>
  async (start: string | undefined): Promise<Page> =>
    (await server.get(`/v2/tokens?${query}${start === undefined ? '' : `&start=${start}`}`)).body;

const searchFor = (query: string, size: number) => async (start: string | undefined) =>
  (await server.post('/v2/tokens/search', { query, size, start: start ?? null })).body as Page;

async function create(lot: string, count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, (_, n) => ({ type: 'token', data: n, metadata: { lot } }));
  const { body } = await server.post('/tokenize', tokens);
  return body.map(({ id }: Token) => id);
}

async function allOf(lot: string): Promise<string[]> {
  const { body } = await server.get(`/tokens?metadata.lot=${lot}&size=100`);
  return body.data.map(({ id }: Token) => id);
}

describe('decisions.md, Newer generation: lists by cursor', () => {
  test.each([1, 3, 7, 50])('pages of %i have every token once, in the order of GET /tokens', async (size) => {
    const lot = `order-${size}`;
    // Those of one request have the same time of creation.
    for (const count of [1, 6, 1, 4]) await create(lot, count);
    const expected = await allOf(lot);
    expect(expected).toHaveLength(12);
    expect(await everyPage(list(`metadata.lot=${lot}&size=${size}`))).toEqual(expected);
    expect(await everyPage(searchFor(`metadata.lot:${lot}`, size))).toEqual(expected);
  });

  test('tokens created and deleted between two pages repeat and hide none of the others', async () => {
    await create('moving', 9);
    const expected = await allOf('moving');
    const ids = await everyPage(list('metadata.lot=moving&size=2'), async ({ data }) => {
      await create('moving', 2);
      await server.delete(`/tokens/${data[0]?.id}`);
      await server.delete(`/tokens/${data.at(-1)?.id}`);
    });
    expect(ids).toEqual(expected);
  });

  test('the page without a next one is the last, also when it is full', async () => {
    await create('full', 2);
    const { pagination } = await list('metadata.lot=full&size=2')(undefined);
    expect(pagination).toEqual({ page_size: 2 });
  });

  test('filters by type, container and fingerprint', async () => {
    const { id, fingerprint } = await server.token({ type: 'card_number', data: '4242424242424242' });
    for (const filter of [`fingerprint=${fingerprint}`, 'type=card_number', 'container=/pci/'])
      expect(await everyPage(list(filter))).toEqual([id]);
  });

  test('lists only what the caller may read', async () => {
    const rules = [{ priority: 1, container: '/pci/', transform: 'mask', permissions: ['token:read'] }];
    const key = await server.application({ rules });
    const { body } = await server.get('/v2/tokens', { key });
    expect(body.data.map(({ type }: Token) => type)).toEqual(['card_number']);
  });
});
