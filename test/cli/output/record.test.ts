import { expect, test } from 'vitest';
import { renderRecord } from '../../../src/cli/output/record.js';
import { loadStyle } from '../../../src/cli/output/style.js';

const style = await loadStyle(false);
const ALL = Number.POSITIVE_INFINITY;

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

test('a long name takes the room that its values leave in 80 columns', () => {
  const item = { 'card.issuer_country.numeric': '840', fingerprint: 'f'.repeat(44) };
  expect(renderRecord(item, style, 80).split('\n')).toEqual([
    'card.issuer_country.numeric  840',
    `fingerprint                  ${'f'.repeat(44)}`,
  ]);
});
