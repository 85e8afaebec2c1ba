import { describe, expect, it, test } from 'vitest';
import { TOKEN_TYPE_NAMES, type TokenType } from '../../../../src/contract/token-types.js';
import { useServer } from '../../../support/test-server.js';

const server = useServer();

const card = { number: '4242424242424242' };
const bank = { routing_number: '021000021', account_number: '000123456789' };

it.each<[TokenType, unknown, unknown?]>([
  ['token', 'text'],
  ['token', 12],
  ['token', false],
  ['token', []],
  ['token', { nested: [{ a: null }] }],
  ['card', card],
  ['card', { ...card, expiration_month: 1, expiration_year: 2031, cvc: '0123' }],
  ['card', { ...card, cvc: 123 }, { ...card, cvc: '123' }],
  ['card', { number: '378282246310005' }],
  ['card', { number: '4222222222222' }],
  ['bank', bank],
  ['bank', { ...bank, account_number: '1' }],
  ['bank', { ...bank, account_number: '12345678901234567' }],
  ['card_number', '36227206271667'],
  ['us_bank_account_number', '123'],
  ['us_bank_account_number', '12345678901234567'],
  ['us_bank_routing_number', '110000000'],
  ['social_security_number', '123-45-6789'],
  ['social_security_number', '123456789'],
  ['employer_id_number', '12-3456789'],
])('each type accepts its data: %s: %j', async (type, data, stored = data) => {
  const { id } = await server.token({ type, data });
  expect((await server.get(`/tokens/${id}`)).body.data).toEqual(stored);
});

it.each<[unknown, unknown, string]>([
  ['token', null, 'data'],
  ['token', undefined, 'data'],
  ['card', '4242424242424242', 'data'],
  ['card', {}, 'data.number'],
  ['card', { number: '4242 4242 4242 4242' }, 'data.number'],
  ['card', { number: '4242424242424241' }, 'data.number'],
  ['card', { number: '424242424242' }, 'data.number'],
  ['card', { number: '42424242424242424242' }, 'data.number'],
  ['card', { number: 4242424242424242 }, 'data.number'],
  ['card', { ...card, expiration_month: 0 }, 'data.expiration_month'],
  ['card', { ...card, expiration_month: 13 }, 'data.expiration_month'],
  ['card', { ...card, expiration_month: 1.5 }, 'data.expiration_month'],
  ['card', { ...card, expiration_month: '1' }, 'data.expiration_month'],
  ['card', { ...card, expiration_year: 31 }, 'data.expiration_year'],
  ['card', { ...card, expiration_year: 20310 }, 'data.expiration_year'],
  ['card', { ...card, expiration_year: '2031' }, 'data.expiration_year'],
  ['card', { ...card, cvc: '12' }, 'data.cvc'],
  ['card', { ...card, cvc: '12345' }, 'data.cvc'],
  ['card', { ...card, cvc: '12a' }, 'data.cvc'],
  ['card', { ...card, cvc: 12 }, 'data.cvc'],
  ['card', { ...card, cvc: null }, 'data.cvc'],
  ['card', { ...card, brand: 'visa' }, 'data.brand'],
  ['bank', { account_number: '1' }, 'data.routing_number'],
  ['bank', { ...bank, routing_number: '021000022' }, 'data.routing_number'],
  ['bank', { ...bank, routing_number: '02100002' }, 'data.routing_number'],
  ['bank', { ...bank, routing_number: 21000021 }, 'data.routing_number'],
  ['bank', { routing_number: '021000021' }, 'data.account_number'],
  ['bank', { ...bank, account_number: '123456789012345678' }, 'data.account_number'],
  ['bank', { ...bank, account_number: '' }, 'data.account_number'],
  ['bank', { ...bank, account_number: '12-3' }, 'data.account_number'],
  ['bank', { ...bank, name: 'x' }, 'data.name'],
  ['card_number', '4242424242424243', 'data'],
  ['card_number', '4242-4242-4242-4242', 'data'],
  ['us_bank_account_number', '12', 'data'],
  ['us_bank_account_number', '123456789012345678', 'data'],
  ['us_bank_routing_number', '110000001', 'data'],
  ['social_security_number', '12345678', 'data'],
  ['social_security_number', '123 45 6789', 'data'],
  ['employer_id_number', '12-345678', 'data'],
  ['employer_id_number', 123456789, 'data'],
  ['credit_card', '4242424242424242', 'type'],
  [undefined, 'x', 'type'],
  [7, 'x', 'type'],
])('each error names its path: %j with %j: %s', async (type, data, path) => {
  const { status, body } = await server.post('/tokens', { type, data });
  expect(status).toBe(400);
  expect(Object.keys(body.errors)).toEqual([path]);
  // What the service words itself never contains token data.
  const { instance: _, ...rest } = body;
  if (typeof data === 'string') expect(JSON.stringify(rest)).not.toContain(`"${data}"`);
});

it('each error names its path: the error for an unknown type names the known ones', async () => {
  const { body } = await server.post('/tokens', { type: 'x', data: 1 });
  for (const type of TOKEN_TYPE_NAMES) expect(body.errors.type[0]).toContain(type);
});

it.each<[TokenType, unknown, unknown, string[]]>([
  ['token', 'x', undefined, ['/general/high/']],
  [
    'card',
    { ...card, expiration_month: 3, expiration_year: 2031, cvc: '123' },
    { number: 'XXXXXXXXXXXX4242', expiration_month: 3, expiration_year: 2031 },
    ['/pci/high/'],
  ],
  ['card', card, { number: 'XXXXXXXXXXXX4242' }, ['/pci/high/']],
  ['bank', bank, { routing_number: '021000021', account_number: 'XXXXXXXX6789' }, ['/bank/high/']],
  ['card_number', '36227206271667', 'XXXXXXXXXX1667', ['/pci/high/']],
  ['us_bank_account_number', '123456', 'XX3456', ['/bank/high/']],
  ['us_bank_routing_number', '110000000', 'XXXXX0000', ['/bank/low/']],
  ['social_security_number', '123-45-6789', 'XXX-XX-6789', ['/pii/high/']],
  ['employer_id_number', '12-3456789', 'XX-XXX6789', ['/pii/high/']],
])('defaults of mask and containers by type: %s', async (type, data, masked, containers) => {
  const token = await server.token({ type, data });
  expect(token.data).toEqual(masked);
  expect(token.containers).toEqual(containers);
  expect(token.fingerprint_expression).toBe('{{ data | stringify }}');
});

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
