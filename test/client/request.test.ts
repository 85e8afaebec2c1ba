import { describe, expect, it, test } from 'vitest';
import { buildRequest } from '../../src/client/request.js';
import { buildQuery, PathParameterError } from '../../src/contract/operation-row.js';
import { operationRow } from '../../src/contract/operations.js';

test.each([
  [undefined, ''],
  [{ page: undefined }, ''],
  [{ page: 2, size: 50 }, '?page=2&size=50'],
  [{ id: ['a', 'b'] }, '?id=a&id=b'],
  [{ metadata: { 'order id': 'ä&b' } }, '?metadata.order+id=%C3%A4%26b'],
])('the query of %j is %j', (query, text) => expect(buildQuery(query)).toBe(text));

describe('buildRequest', () => {
  it('encodes path parameters', () =>
    expect(buildRequest(operationRow('tokens.get'), { path: { id: 'a b' } }).path).toBe('/tokens/a%20b'));

  it.each([
    ['', 'The id must not be empty.'],
    ['..', 'The id must not be "..".'],
    ['a\ud800', 'The id must be valid Unicode; it contains half of a surrogate pair.'],
  ])('rejects the path parameter %j and names it', (id, message) => {
    const build = () => buildRequest(operationRow('tokens.get'), { path: { id } });
    expect(build).toThrow(new PathParameterError(message));
  });

  it('sends a patch as a merge patch', () => {
    const { body, headers } = buildRequest(operationRow('tokens.update'), {
      path: { id: 'one' },
      body: { mask: null },
    });
    expect(body).toBe('{"mask":null}');
    expect(headers).toEqual({ 'content-type': 'application/merge-patch+json' });
  });

  it('sends no body when the operation has none', () => {
    const request = buildRequest(operationRow('tokens.delete'), { path: { id: 'one' } });
    expect([request.body, request.headers]).toEqual([undefined, undefined]);
  });
});
