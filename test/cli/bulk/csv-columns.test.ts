import { describe, expect, test } from 'vitest';
import { EXPORT_COLUMNS, toCells } from '../../../src/cli/bulk/csv-columns.js';

describe('toCells', () => {
  const cellsOf = (token: Record<string, unknown>) => {
    const cells = toCells(token);
    const named = EXPORT_COLUMNS.map((column, index) => [column, cells[index]] as const);
    return Object.fromEntries(named.filter(([column, text]) => column.startsWith('data') && text !== ''));
  };

  test('writes the fields of cards and bank accounts to columns of their own, with leading zeros', () => {
    const card = { number: '4242424242424242', expiration_month: 4, cvc: '007' };
    expect(cellsOf({ type: 'card', data: card })).toEqual({
      'data.number': '4242424242424242',
      'data.expiration_month': '4',
      'data.cvc': '007',
    });
    const bank = { routing_number: '021000021', account_number: '000123' };
    expect(cellsOf({ type: 'bank', data: bank })).toEqual({
      'data.routing_number': '021000021',
      'data.account_number': '000123',
    });
  });

  test.each([
    ['a mask of another shape', { type: 'card', data: 'XXXX4242' }],
    ['a field that only the mask has', { type: 'card', data: { number: '4242', brand: 'visa' } }],
    ['a value that its cell would change', { type: 'card', data: { number: '', expiration_month: '04' } }],
    ['another type', { type: 'token', data: { number: '4242' } }],
  ])('writes %s as JSON', (_name, token) => {
    expect(cellsOf(token)).toEqual({ data: JSON.stringify(token.data) });
  });
});
