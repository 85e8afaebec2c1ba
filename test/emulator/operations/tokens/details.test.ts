import { describe, expect, test } from 'vitest';
import { useServer } from '../../../support/test-server.js';

const server = useServer();

const CARD = {
  type: 'card',
  data: { number: '4242424242424242', expiration_month: 12, expiration_year: 2030 },
};

const withTransform = (transform: string) =>
  server.application({
    rules: [
      { priority: 1, container: '/', transform, permissions: ['token:read', 'token:search', 'token:create'] },
    ],
  });

describe('decisions.md, Newer generation: card and bank details of a token', () => {
  test('a token whose data is not shown has no details', async () => {
    const { id } = await server.token(CARD);
    const key = await withTransform('redact');
    expect((await server.get(`/tokens/${id}`, { key })).body).not.toHaveProperty('card');
    expect((await server.get(`/tokens?id=${id}`, { key })).body.data[0]).not.toHaveProperty('card');
    const { body } = await server.patch(`/tokens/${id}`, { metadata: { a: 'b' } }, { as: 'public' });
    expect(body).not.toHaveProperty('card');
    await server.patch(`/tokens/${id}`, { mask: null });
    const masked = await server.get(`/tokens/${id}`, { key: await withTransform('mask') });
    expect(masked.body).not.toHaveProperty('card');
  });

  test.each([
    ['378282246310005', { bin: '378282', last4: '0005', brand: 'american-express', funding: 'credit' }],
    ['36227206271667', { bin: '362272', last4: '1667', brand: 'diners-club' }],
    ['4000000000000002', { bin: '40000000', last4: '0002', brand: 'visa' }],
    ['2720990000000007', { bin: '27209900', last4: '0007', brand: 'mastercard' }],
    ['9999999999999995', { bin: '99999999', last4: '9995' }],
  ])('the number %s has the details %j', async (number, details) => {
    const { card } = await server.token({ type: 'card_number', data: number });
    expect(card).toMatchObject(details);
    if (!('brand' in details)) expect(card).toEqual(details);
  });

  test.each([
    ['000123456789', { routing_number: '021000021', account_number_last4: '6789' }],
    ['1234', { routing_number: '021000021' }],
  ])('the bank account %s has the details %j', async (account_number, details) => {
    const { bank, card } = await server.token({
      type: 'bank',
      data: { routing_number: '021000021', account_number },
    });
    expect([bank, card]).toEqual([details, undefined]);
  });
});
