import { expect, test } from 'vitest';
import { shellQuote } from '../../../src/cli/lib/text.js';

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
