import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { isCardNumber, isTestCardNumber, TEST_CARDS } from '../../../../src/contract/card-numbers.js';
import { luhnValid } from '../../../../src/contract/schemas/token-data.js';
import { useServer } from '../../../support/test-server.js';

/** In the range of an issuer, with a valid checksum, and no documented test card. */
const REAL = '4539148803436467';
const MESSAGE = expect.stringContaining('must be the number of a test card');

describe('--refuse-real-cards', () => {
  const server = useServer({ refuseRealCards: true });

  test.each([
    ['a card', { type: 'card', data: { number: REAL } }, 'data.number'],
    ['a card number', { type: 'card_number', data: REAL }, 'data'],
    [
      'a token that holds one',
      { type: 'token', data: { a: [{ pan: '4539 1488 0343 6467' }] } },
      'data.a.0.pan',
    ],
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

  test('accepts test cards, and numbers that no issuer gives out', async () => {
    for (const number of ['4000000000000002', '378282246310005', '9999999999999995'])
      expect((await server.post('/tokens', { type: 'card', data: { number } })).status, number).toBe(201);
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
