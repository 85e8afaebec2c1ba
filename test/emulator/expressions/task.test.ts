import { expect, test } from 'vitest';
import { isLight } from '../../../emulator/expressions/task.js';
import { jsonLength } from '../../../emulator/lib/json-bounds.js';

const isMaskLight = (value: string) =>
  isLight({ kind: 'structure', value, scope: { data: 'x'.repeat(10_000) }, path: 'mask' });

test.each(['append: "x"', 'prepend: "x"', 'json', 'json_stringify', 'to_base16'])(
  'the filter %s, which can double its input, runs on the main thread once in an expression, not twice',
  (filter) => {
    expect(isMaskLight(`{{ data | ${filter} }}`)).toBe(true);
    expect(isMaskLight(`{{ data | ${filter} | ${filter} }}`)).toBe(false);
  },
);

test('a signature with a key that is not literal runs on the main thread, padding of such a length does not', () => {
  expect(isMaskLight("{{ data | json: '$.a' | hmac: 'sha-256', data.key | to_base16 }}")).toBe(true);
  expect(isMaskLight('{{ data | pad_left: data.length }}')).toBe(false);
});

test('long texts are passed on by the main thread, unless they hold an expression', () => {
  const isPayloadLight = (text: string) => isLight({ kind: 'references', value: [text], path: 'args' });
  const text = 'x'.repeat(1_000_000);
  expect([isPayloadLight(text), isPayloadLight(`{{ id }}${text}`)]).toEqual([true, false]);
});

test('a value that is nested too deeply for JSON counts as too long', () => {
  let value: unknown = 'x';
  for (let level = 0; level < 100_000; level += 1) value = [value];
  expect(jsonLength(value, Number.MAX_SAFE_INTEGER)).toBeGreaterThan(Number.MAX_SAFE_INTEGER);
});
