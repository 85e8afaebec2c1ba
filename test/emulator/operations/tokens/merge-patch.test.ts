import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Json } from '../../../../emulator/expressions/index.js';
import { mergePatch } from '../../../../emulator/operations/json-body.js';

it.each<[Json, Json, Json]>([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('RFC 7386, appendix A: %j patched with %j is %j', (target, patch, result) => {
  const before = JSON.stringify([target, patch]);
  expect(mergePatch(target, patch)).toEqual(result);
  expect(JSON.stringify([target, patch])).toBe(before);
});

it('property names that mean something to JavaScript are plain properties', () => {
  const patch = JSON.parse(
    '{ "__proto__": { "a": 1 }, "constructor": 2, "hasOwnProperty": null, "z": 3 }',
  ) as Json;
  const result = mergePatch({ hasOwnProperty: 1, toString: 4 }, patch);
  expect(JSON.stringify(result)).toBe('{"toString":4,"__proto__":{"a":1},"constructor":2,"z":3}');
});

it('a patch without null and arrays is found in the result; patching twice changes nothing more', () => {
  const json = fc.jsonValue() as fc.Arbitrary<Json>;
  fc.assert(
    fc.property(json, json, (target, patch) => {
      const once = mergePatch(target, patch);
      expect(mergePatch(once, patch)).toEqual(once);
    }),
  );
});
