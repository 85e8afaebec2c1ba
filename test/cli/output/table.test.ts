import { expect, test } from 'vitest';
import { loadStyle } from '../../../src/cli/output/style.js';
import { cellText, renderTable } from '../../../src/cli/output/table.js';

const style = await loadStyle(false);
const ALL = Number.POSITIVE_INFINITY;

test('columns are aligned and lines have no trailing spaces', () => {
  const columns = [
    { title: 'NAME', field: 'name' },
    { title: 'COUNT', field: 'count', align: 'right' as const },
    { title: 'NOTE', field: 'note' },
  ];
  const items = [
    { name: 'one', count: 7 },
    { name: 'seventeen', count: 1_234, note: 'n' },
  ];
  expect(renderTable(items, columns, style, ALL).split('\n')).toEqual([
    'NAME       COUNT  NOTE',
    'one            7',
    'seventeen   1234  n',
  ]);
});

test('wide characters take two columns and combining marks none', () => {
  const columns = [
    { title: 'A', field: 'a' },
    { title: 'B', field: 'b' },
  ];
  const items = [
    { a: '表', b: 1 },
    { a: 'e\u0301', b: 2 },
  ];
  expect(renderTable(items, columns, style, ALL).split('\n')).toEqual(['A   B', '表  1', 'e\u0301   2']);
});

test('a column shows what its format function returns, on one line', () => {
  const columns = [{ title: 'T', field: 'tags', show: (tags: unknown) => (tags as string[]).join('\n') }];
  expect(renderTable([{ tags: ['a', 'b'] }], columns, style, ALL)).toBe('T\na b');
});

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
