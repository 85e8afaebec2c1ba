import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderRecord } from '../../../src/cli/output/record.js';
import { loadStyle } from '../../../src/cli/output/style.js';
import { cellText, fitColumns, GAP, renderTable } from '../../../src/cli/output/table.js';

const style = await loadStyle(false);
const ALL = Number.POSITIVE_INFINITY;

test.each([
  [undefined, ''],
  [null, ''],
  ['a\n b', 'a b'],
  [0, '0'],
  [false, 'false'],
  [{ a: [1] }, '{"a":[1]}'],
])('the cell of %j is %j', (value, text) => {
  expect(cellText(value)).toBe(text);
});

test('columns for which there is no room are counted, unless they are empty', () => {
  const columns = ['ONE', 'TWO', 'THREE'].map((title) => ({ title, field: title, min: 9 }));
  const item = { ONE: 'a'.repeat(9), TWO: 'b'.repeat(9), THREE: 'c'.repeat(9) };
  expect(renderTable([item], columns, style, 20).split('\n')[2]).toBe('1 column not shown,…');
  expect(renderTable([{ ...item, THREE: '' }], columns, style, 20).split('\n')).toHaveLength(2);
});

const need = (natural: number, min = natural, importance = 0) => ({ natural, min, importance });

test.each([
  ['keeps columns that fit', [need(10), need(20)], 32, [10, 20]],
  ['cuts the widest column first', [need(36), need(30, 10), need(14, 10)], 70, [36, 16, 14]],
  ['drops the least important one', [need(36, 36, 2), need(20, 20, 0), need(12, 12, 1)], 60, [36, 0, 12]],
  ['drops the rightmost of columns of one importance', [need(20), need(20), need(20)], 50, [20, 20, 0]],
  ['cuts the last column to the width', [need(36)], 20, [20]],
  ['cuts nothing without a width', [need(500, 10)], Number.POSITIVE_INFINITY, [500]],
])('fitColumns: %s', (_, needs, available, widths) => {
  expect(fitColumns(needs, available)).toEqual(widths);
});

test('fitColumns: columns of any needs fit, and use the width if one of them is cut', () => {
  const needs = fc.array(
    fc.tuple(fc.nat(200), fc.nat(60), fc.nat(5)).map(([natural, min, importance]) => ({
      natural: natural + 1,
      min: Math.min(natural, min) + 1,
      importance,
    })),
    { minLength: 1, maxLength: 8 },
  );
  fc.assert(
    fc.property(needs, fc.integer({ min: 1, max: 250 }), (columns, available) => {
      const widths = fitColumns(columns, available);
      const kept = widths.filter((width) => width > 0);
      const used = kept.reduce((sum, width) => sum + width, GAP * (kept.length - 1));
      expect(kept.length).toBeGreaterThan(0);
      expect(used).toBeLessThanOrEqual(available);
      const isCut = widths.some((width, index) => width > 0 && width < (columns[index]?.natural ?? 0));
      if (isCut) expect(used).toBe(available);
    }),
  );
});

test('a record has a line per entry of nested objects', () => {
  const item = { id: 'x', metadata: { customer: 'C', 'a.b': 1 }, containers: ['/'], mask: {} };
  expect(renderRecord(item, style, ALL).split('\n')).toEqual([
    'id                 x',
    'metadata.customer  C',
    'metadata.a.b       1',
    'containers         /',
    'mask               {}',
  ]);
});

test('a list of objects, such as rules, has a block for each', () => {
  const rules = [
    { priority: 1, container: '/pci/', permissions: ['token:read', 'token:search'] },
    { priority: 2, container: '/' },
  ];
  expect(renderRecord({ id: 'x', rules }, style, ALL).split('\n')).toEqual([
    'id     x',
    'rules',
    '  - priority     1',
    '    container    /pci/',
    '    permissions  token:read, token:search',
    '  - priority   2',
    '    container  /',
  ]);
});

test('text of several lines, such as code, follows its name', () => {
  const code = 'module.exports = () => {\n\treturn {};\n};\n';
  expect(renderRecord({ name: 'charge', code }, style, ALL).split('\n')).toEqual([
    'name  charge',
    'code',
    '  module.exports = () => {',
    '    return {};',
    '  };',
  ]);
});

test('a value that is longer than the terminal continues below its beginning', () => {
  const item = { id: 'x', permissions: ['token:create', 'token:read', 'token:update'] };
  expect(renderRecord(item, style, 38).split('\n')).toEqual([
    'id           x',
    'permissions  token:create, token:read,',
    '             token:update',
  ]);
});
