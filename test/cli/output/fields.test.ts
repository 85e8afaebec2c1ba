import { expect, test } from 'vitest';
import { assertFieldFound } from '../../../src/cli/output/fields.js';

test.each([
  ['an object that has one of them', { a: 1 }, ['a', 'b']],
  ['a list of which one item has the field', [{ a: 1 }, { b: { c: 2 } }], ['b.c']],
  ['an empty list', [], ['b']],
  ['an empty page', { pagination: { total_items: 0 }, data: [] }, ['b']],
  ['an object without any field', {}, ['b']],
])('fields are accepted for %s', (_, value, fields) => {
  expect(() => assertFieldFound(value, fields)).not.toThrow();
});

test('a field that a result may lack is accepted, and listed', () => {
  expect(() => assertFieldFound({ a: 1 }, ['b.c'], ['b'])).not.toThrow();
  expect(() => assertFieldFound({ a: 1 }, ['x'], ['b'])).toThrow(
    expect.objectContaining({ failure: expect.objectContaining({ hint: 'Fields: a, b' }) }),
  );
});
