import { describe, expect, test } from 'vitest';
import { checkColumns, EXPORT_COLUMNS, parseRecord, toCells } from '../../../src/cli/bulk/csv-columns.js';

describe('checkColumns', () => {
  test('accepts every column of an export and nested data and metadata', () => {
    checkColumns([...EXPORT_COLUMNS, 'data.any', 'metadata.any.key', '_row', '_reason']);
  });

  test('rejects unknown and repeated columns by name', () => {
    expect(() => checkColumns(['type', 'nubmer'])).toThrow('Unknown columns: "nubmer".');
    expect(() => checkColumns(['type', 'type'])).toThrow('Two columns are named "type".');
  });
});

describe('parseRecord', () => {
  test('omits empty cells and read-only columns', () => {
    expect(
      parseRecord({ id: '', type: 'token', data: 'x', created_at: 'now', _row: '1' }, undefined),
    ).toEqual({
      type: 'token',
      data: 'x',
    });
  });

  test('parses lists as JSON or separated by semicolons', () => {
    expect(parseRecord({ containers: '/a/; /b/' }, 'token')).toEqual({ containers: ['/a/', '/b/'] });
    expect(parseRecord({ containers: '["/a;b/"]' }, 'token')).toEqual({ containers: ['/a;b/'] });
  });

  test('keeps an expression as a mask, and parses other JSON', () => {
    expect(parseRecord({ mask: '{{ data | last4 }}' }, 'token')).toEqual({ mask: '{{ data | last4 }}' });
    expect(parseRecord({ mask: '{"number":"x"}' }, 'token')).toEqual({ mask: { number: 'x' } });
  });

  test('parses fields by the type of the row, or by the default type', () => {
    const row = { 'data.expiration_month': '04', 'data.cvc': '007' };
    expect(parseRecord(row, 'card')).toEqual({ data: { expiration_month: 4, cvc: '007' } });
    expect(parseRecord({ type: 'token', ...row }, 'card')).toMatchObject({
      data: { expiration_month: '04', cvc: '007' },
    });
  });

  test('a metadata key cannot replace a prototype', () => {
    const record = parseRecord({ 'metadata.__proto__': 'x' }, 'token');
    expect(Object.keys(record.metadata as object)).toEqual(['__proto__']);
  });
});

test('toCells is the inverse of parseRecord', () => {
  const token = {
    id: 'a',
    type: 'token',
    data: '042',
    containers: ['/a/'],
    metadata: { k: 'v' },
    mask: '{{ data }}',
  };
  const row = Object.fromEntries(
    EXPORT_COLUMNS.map((column, index) => [column, toCells(token)[index] ?? '']),
  );
  expect(row).toMatchObject({ data: '"042"', containers: '["/a/"]', expires_at: '' });
  expect(parseRecord(row, undefined)).toEqual({
    ...token,
    mask: parseRecord({ mask: row.mask ?? '' }, 'token').mask,
  });
});

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
