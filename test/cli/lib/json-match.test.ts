import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchJson } from '../../../src/cli/lib/json-match.js';

describe('matchJson', () => {
  test('reports a property that the expected value does not have', () => {
    expect(matchJson({ raw: { a: 1 } }, { raw: { a: 1, b: 2 } }, { partial: false })).toEqual([
      { path: 'raw.b', expected: 'nothing', actual: 2 },
    ]);
  });

  test('a partial match allows more properties in objects, but not more items in lists', () => {
    expect(matchJson({ raw: { a: 1 } }, { raw: { a: 1, b: 2 } }, { partial: true })).toEqual([]);
    expect(matchJson({ raw: [1] }, { raw: [1, 2] }, { partial: true })).toHaveLength(1);
  });

  test('each mismatch names its path', () => {
    const found = matchJson(
      { raw: { list: [{ a: 1 }, { a: 2 }] } },
      { raw: { list: [{ a: 1 }, { a: 3 }] } },
      { partial: false },
    );
    expect(found).toEqual([{ path: 'raw.list[1].a', expected: '2', actual: 3 }]);
  });

  test('$type, $match and $contains match values that are not known beforehand', () => {
    const expected = {
      tokens: { receipt: { $contains: { type: 'token', id: { $match: '^[0-9a-f-]{36}$' } } } },
      raw: { $type: 'array' },
    };
    const actual = { tokens: { receipt: { id: crypto.randomUUID(), type: 'token', data: 'x' } }, raw: [] };
    expect(matchJson(expected, actual, { partial: false })).toEqual([]);
    expect(matchJson(expected, { ...actual, raw: {} }, { partial: false })).toEqual([
      { path: 'raw', expected: 'of type array', actual: {} },
    ]);
  });

  test('a $match that is not a regular expression is a usage error with its path', () => {
    expect(() => matchJson({ raw: { $match: '(' } }, { raw: 'x' }, { partial: false })).toThrow(
      '$match for raw must be a valid JavaScript regular expression (flag u).',
    );
  });

  test('any JSON value matches itself and no other value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        expect(matchJson(one, structuredClone(one), { partial: false })).toEqual([]);
        fc.pre(JSON.stringify(one) !== JSON.stringify(other));
        const differ = matchJson(one, other, { partial: false }).length > 0;
        const back = matchJson(other, one, { partial: false }).length > 0;
        expect(differ).toBe(back);
      }),
    );
  });
});
