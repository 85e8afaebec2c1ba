import fc from 'fast-check';
import { expect, test } from 'vitest';
import { preservesNumbers } from '../../../src/cli/lib/json.js';
import { matchJson } from '../../../src/cli/lib/json-match.js';
import { shellQuote } from '../../../src/cli/lib/text.js';
import { setVariable } from '../../../src/cli/lib/variables.js';

test('JSON that was serialized is unchanged, whatever its strings contain', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => preservesNumbers(JSON.stringify(value))));
});

test.each(['0', '-0.0', '1.50', '1E+2', '100000000000000000000', '0.10000000000000001'])(
  '%s stays',
  (text) => {
    expect(preservesNumbers(text)).toBe(true);
  },
);

test.each(['12345678901234567890', '-9007199254740993', '0.1234567890123456789', '1e400', '1e-400'])(
  '%s would become another',
  (text) => {
    expect(preservesNumbers(`{"a":["\\"",${text}]}`)).toBe(false);
    expect(preservesNumbers(`{"a":["\\"","${text}"]}`)).toBe(true);
  },
);

test('matchJson reports a property that the expected value does not have', () => {
  expect(matchJson({ raw: { a: 1 } }, { raw: { a: 1, b: 2 } }, { partial: false })).toEqual([
    { path: 'raw.b', expected: 'nothing', actual: 2 },
  ]);
});

test('matchJson: a partial match allows more properties in objects, but not more items in lists', () => {
  expect(matchJson({ raw: { a: 1 } }, { raw: { a: 1, b: 2 } }, { partial: true })).toEqual([]);
  expect(matchJson({ raw: [1] }, { raw: [1, 2] }, { partial: true })).toHaveLength(1);
});

test('matchJson: each mismatch names its path', () => {
  const found = matchJson(
    { raw: { list: [{ a: 1 }, { a: 2 }] } },
    { raw: { list: [{ a: 1 }, { a: 3 }] } },
    { partial: false },
  );
  expect(found).toEqual([{ path: 'raw.list[1].a', expected: '2', actual: 3 }]);
});

test('matchJson: $type, $match and $contains match values that are not known beforehand', () => {
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

test('matchJson: a $match that is not a regular expression is a usage error with its path', () => {
  expect(() => matchJson({ raw: { $match: '(' } }, { raw: 'x' }, { partial: false })).toThrow(
    '$match for raw must be a valid JavaScript regular expression (flag u).',
  );
});

test('matchJson: any JSON value matches itself and no other value', () => {
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

test.each([
  ['linux', 'name', 'name'],
  ['linux', "Pay's data", `'Pay'\\''s data'`],
  ['linux', 'C:\\data', `'C:\\data'`],
  ['win32', 'C:\\data', 'C:\\data'],
  ['win32', "Pay's data", `"Pay's data"`],
  ['win32', '100 % "sure"', '"100 % \\"sure\\""'],
] as const)('on %s, the argument %s of a suggested command is written %s', (platform, text, quoted) => {
  expect(shellQuote(text, platform)).toBe(quoted);
});

test('a variable is set in the words of the usual shell', () => {
  const on = (platform: NodeJS.Platform) => setVariable('NO_PROXY', 'localhost', platform);
  expect([on('darwin'), on('win32')]).toEqual(['export NO_PROXY=localhost', "$env:NO_PROXY = 'localhost'"]);
});
