import { describe, expect, it } from 'vitest';
import { redirects } from '../../src/contract/control/outbound.js';
import { fieldErrors, schemas } from '../../src/contract/index.js';

function errorsOf(
  schema: { safeParse(value: unknown): { success: boolean; error?: unknown } },
  value: unknown,
) {
  const result = schema.safeParse(value);
  return result.success ? {} : fieldErrors(result.error as never, [], schema as never);
}

describe('field errors name the property and what is accepted', () => {
  it('are limited to the first hundred, however many a large body has', () => {
    const unknown = Object.fromEntries(Array.from({ length: 300 }, (_value, index) => [`k${index}`, 1]));
    expect(
      Object.keys(errorsOf(schemas['tokens.create'].body, { type: 'token', data: 1, ...unknown })),
    ).toHaveLength(100);
  });

  it.each([
    [{ type: 'token' }, { data: ['is required, any JSON value except null'] }],
    [{ type: 'token', data: null }, { data: ['must be any JSON value except null'] }],
    [{ data: 1 }, { type: [expect.stringContaining('must be one of token, card, bank')] }],
    [
      { type: 'token', data: 1, colour: 'red' },
      { colour: [expect.stringMatching(/^is not a known property\. Known: id, type, data, mask, /)] },
    ],
    [{ type: 'token', data: 1, metadata: { a: 1 } }, { 'metadata.a': ['must be a string'] }],
    [{ type: 'token', data: 1, containers: [] }, { containers: ['must have at least 1 item'] }],
    [{ type: 'token', data: 1, id: 'a/b/c' }, { id: [expect.stringContaining('3 to 400 characters')] }],
  ])('%j', (body, errors) => {
    expect(errorsOf(schemas['tokens.create'].body, body)).toEqual(errors);
  });

  it.each([
    [{ page: '0' }, { page: ['must be at least 1'] }],
    [{ size: '101' }, { size: ['must be at most 100'] }],
    [{ size: 'ten' }, { size: ['must be an integer from 1 to 100'] }],
    [
      { colour: 'red' },
      { colour: ['is not a known property. Known: id, metadata, type, container, page, size'] },
    ],
  ])('query %j', (query, errors) => {
    expect(errorsOf(schemas['tokens.list'].query, query)).toEqual(errors);
  });

  it('also of a property whose name is wrong', () => {
    expect(errorsOf(redirects, { 'a b': 'http://127.0.0.1:1' })).toEqual({
      'a b': ['must be a host such as api.example.com, *.example.com, or *'],
    });
  });
});
