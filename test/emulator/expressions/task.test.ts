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
