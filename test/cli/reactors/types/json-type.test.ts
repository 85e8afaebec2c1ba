import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatType, inferType, mergeTypes } from '../../../../src/cli/reactors/types/json-type.js';

const typeOf = (...samples: unknown[]): string =>
  formatType(samples.map((sample) => inferType(sample)).reduce(mergeTypes), '');

test.each([
  [['a', 1, null, true], 'boolean | null | number | string'],
  [[[]], 'unknown[]'],
  [[[1, 'a'], [null]], '(null | number | string)[]'],
  [[{}], 'Record<string, never>'],
  [[{ a: 1 }, { a: 'x' }], '{\n  a: number | string;\n}'],
  [[{ a: 1 }, {}], '{\n  a?: number;\n}'],
  [[{ 'a-b': { c: [] } }], '{\n  "a-b": {\n    c: unknown[];\n  };\n}'],
  [[{ a: 1 }, 'text'], 'string | {\n  a: number;\n}'],
])('the type of JSON samples: %j', (samples, expected) => {
  expect(typeOf(...samples)).toBe(expected);
});

test('the type of JSON samples is not changed by a sample that was seen before', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      expect(typeOf(one, other, one)).toBe(typeOf(one, other));
    }),
  );
});

test('the type of JSON samples does not depend on the order of the samples', () => {
  const lines = (text: string) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .sort();
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 2 }), fc.jsonValue({ maxDepth: 2 }), (one, other) => {
      expect(lines(typeOf(one, other))).toEqual(lines(typeOf(other, one)));
    }),
  );
});
