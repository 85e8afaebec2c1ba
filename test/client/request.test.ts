import { expect, test } from 'vitest';
import { buildRequest } from '../../src/client/request.js';
import { buildQuery, PathParameterError } from '../../src/contract/operation-row.js';
import { operationRow } from '../../src/contract/operations.js';

test('a query without values is empty, and one that is undefined is left out', () => {
  expect([undefined, { page: undefined }, { page: undefined, size: 5 }].map(buildQuery)).toEqual([
    '',
    '',
    '?size=5',
  ]);
});

test.each([
  ['', 'The id must not be empty.'],
  ['..', 'The id must not be "..".'],
  ['a\ud800', 'The id must be valid Unicode; it contains half of a surrogate pair.'],
])('the path parameter %j is rejected by name', (id, message) => {
  const build = () => buildRequest(operationRow('tokens.get'), { path: { id } });
  expect(build).toThrow(new PathParameterError(message));
});
