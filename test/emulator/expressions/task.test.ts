import { expect, test } from 'vitest';
import { isLight } from '../../../emulator/expressions/task.js';

const isMaskLight = (value: string) =>
  isLight({ kind: 'structure', value, scope: { data: 'x'.repeat(10_000) }, path: 'mask' });

test.each(['append: "x"', 'prepend: "x"', 'json', 'json_stringify', 'to_base16'])(
  'the filter %s, which can double its input, runs on the main thread once in an expression, not twice',
  (filter) => {
    expect(isMaskLight(`{{ data | ${filter} }}`)).toBe(true);
    expect(isMaskLight(`{{ data | ${filter} | ${filter} }}`)).toBe(false);
  },
);

test('long texts are passed on by the main thread, unless they hold an expression', () => {
  const isPayloadLight = (text: string) => isLight({ kind: 'references', value: [text], path: 'args' });
  const text = 'x'.repeat(1_000_000);
  expect([isPayloadLight(text), isPayloadLight(`{{ id }}${text}`)]).toEqual([true, false]);
});
