import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import {
  isCardNumber,
  isTestCardNumber,
  luhnValid,
  TEST_CARDS,
} from '../../../../src/contract/card-numbers.js';
import { useServer } from '../../../support/test-server.js';

/** In the range of an issuer, with a valid checksum, and no documented test card. */
const REAL = '4539148803436467';
const MESSAGE = expect.stringContaining('must be the number of a test card');

describe('--refuse-real-cards', () => {
  const server = useServer({ refuseRealCards: true });

  test.each([
    ['a card', { type: 'card', data: { number: REAL } }, 'data.number'],
    ['a card number', { type: 'card_number', data: REAL }, 'data'],
    ['a token with one', { type: 'token', data: { a: [{ pan: '4539 1488 0343 6467' }] } }, 'data.a.0.pan'],
  ])('refuses %s, and does not repeat the number', async (_, body, path) => {
    const answer = await server.post('/tokens', body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual({ [path]: [MESSAGE] });
    expect(JSON.stringify(answer.body)).not.toContain(REAL.slice(-6));
  });

  test('refuses an update, /tokenize and a reactor that tokenizes, and stores nothing', async () => {
    const { id } = await server.token({ type: 'card', data: { number: '4242424242424242' } });
    expect((await server.patch(`/tokens/${id}`, { data: { number: REAL } })).status).toBe(400);
    expect((await server.post('/tokenize', ['harmless', { a: REAL }])).status).toBe(400);
    const code = 'module.exports = async ({ args }) => ({ tokenize: args.number })';
    const reactor = { name: 'one', code, configuration: {} };
    const { body } = await server.post('/reactors', reactor, { as: 'management' });
    expect((await server.post(`/reactors/${body.id}/react`, { args: { number: REAL } })).status).toBe(400);
    expect((await server.get('/tokens')).body.pagination.total_items).toBe(1);
  });

  const spaced = '4539 1488 0343 6467';
  const token = { type: 'token', data: 'harmless' };
  const reactor = { name: 'one', code: 'module.exports = async () => ({})', configuration: {} };
  const proxy = { name: 'one', destination_url: 'https://api.example.com', require_auth: true };

  test.each([
    ['/tokens', { ...token, data: `paid with ${spaced} today` }, 'data'],
    ['/tokens', { ...token, data: { a: `x4539-1488-0343-6467-12/31` } }, 'data.a'],
    ['/tokens', { ...token, data: { a: { [`card ${REAL}`]: 1 } } }, 'data.a'],
    ['/tokens', { ...token, data: Number(REAL) }, 'data'],
    ['/tokens', { ...token, id: `card-${REAL}` }, 'id'],
    ['/tokens', { ...token, metadata: { note: `card ${spaced}` } }, 'metadata.note'],
    ['/tokens', { ...token, metadata: { [REAL]: 'x' } }, 'metadata'],
    ['/tokens', { ...token, search_indexes: ['{{ data }}', REAL] }, 'search_indexes.1'],
    ['/tokens', { ...token, containers: [`/pci/${REAL}/`] }, 'containers.0'],
    ['/tokens', { ...token, mask: `was ${spaced}` }, 'mask'],
    ['/reactors', { ...reactor, configuration: { CARD: spaced } }, 'configuration.CARD'],
    ['/reactors', { ...reactor, configuration: { [REAL]: 'x' } }, 'configuration'],
    ['/proxies', { ...proxy, destination_url: `https://api.example.com/${REAL}` }, 'destination_url'],
  ])('%s with %j is refused on the property, without the number', async (path, body, property) => {
    const as = path === '/tokens' ? 'private' : 'management';
    const answer = await server.post(path, body, { as });
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([400, [property]]);
    const { body: list } = await server.get(path, { as });
    // Not four digits only, which an id may have.
    for (const part of [REAL.slice(-8), spaced.slice(-9)])
      expect(JSON.stringify([answer.body, list])).not.toContain(part);
  });

  test('numbers that are no card numbers are accepted: UUIDs, times, aliases, a test card in a text', async () => {
    const metadata = {
      uuid: '45391488-0343-4467-8000-453914880343',
      time: '2030-01-31 10:20:30.123456',
      card: 'paid with 4242 4242 4242 4242',
    };
    const body = { type: 'card_number', data: '4242424242424242', metadata };
    for (let count = 0; count < 50; count++) {
      const answer = await server.post('/tokens', {
        ...body,
        id: '{{ data | alias_card: reveal_bin: true }}',
      });
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    }
  });

  test('accepts test cards, and numbers that no issuer gives out', async () => {
    for (const number of ['4000000000000002', '378282246310005', '9999999999999995'])
      expect((await server.post('/tokens', { type: 'card', data: { number } })).status, number).toBe(201);
  });
});

describe('--allow-card', () => {
  const server = useServer({ refuseRealCards: true, allowCards: [REAL, '453978*'] });

  test('accepts further numbers, and prefixes, and no others', async () => {
    const status = async (data: string) =>
      (await server.post('/tokens', { type: 'card_number', data })).status;
    expect(await status(REAL)).toBe(201);
    expect(await status('4539787643227857')).toBe(201);
    expect(await status('4716059284363226')).toBe(400);
  });
});

describe('without the flag', () => {
  const server = useServer();

  test('every valid number is accepted', async () => {
    expect((await server.post('/tokens', { type: 'card', data: { number: REAL } })).status).toBe(201);
  });
});

test('the test cards are valid numbers, listed with their sources in docs/leaks.md', async () => {
  const page = await readFile(new URL('../../../../docs/leaks.md', import.meta.url), 'utf8');
  for (const { source, ranges = [], numbers } of TEST_CARDS) {
    expect(page).toContain(source);
    for (const number of numbers) {
      expect(luhnValid(number), number).toBe(true);
      expect(isTestCardNumber(number), number).toBe(true);
      expect(page).toContain(number);
    }
    for (const range of ranges) expect(page).toContain(`${range}…`);
  }
  expect(isCardNumber(REAL) && !isTestCardNumber(REAL)).toBe(true);
});
