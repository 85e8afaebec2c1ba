import fc from 'fast-check';
import stringWidth from 'fast-string-width';
import { expect, test } from 'vitest';
import { displayWidth, fold, truncate } from '../../../src/cli/output/text-width.js';

const text = fc.string({ unit: fc.constantFrom('a', ' ', ',', '表', 'é', 'e\u0301', '👩‍💻', '-') });

test('displayWidth is that of fast-string-width for every character of the basic plane, alone and in text', () => {
  for (let code = 0x20; code <= 0xffff; code += 1) {
    const text = `a${String.fromCharCode(code)}`;
    if (displayWidth(text) !== stringWidth(text)) expect.fail(`U+${code.toString(16)}`);
  }
});

test.each([
  ['abcdef', 6, 'abcdef'],
  ['abcdefg', 6, 'abcde…'],
  ['表表表', 5, '表表…'],
  ['表表表', 4, '表…'],
])('truncate cuts %s to %i columns as %s', (whole, columns, cut) => {
  expect(truncate(whole, columns)).toBe(cut);
});

test('truncate: never returns more columns than asked for', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 30 }), (whole, columns) => {
      expect(displayWidth(truncate(whole, columns))).toBeLessThanOrEqual(columns);
    }),
  );
});

test('fold breaks lines after a space or comma where there is one', () => {
  expect(fold('token:read, token:update', 15)).toEqual(['token:read,', 'token:update']);
  expect(fold('abcdefgh', 3)).toEqual(['abc', 'def', 'gh']);
});

test('fold breaks no word that fits into a line', () => {
  expect(fold('a 12345678 b', 9)).toEqual(['a', '12345678', 'b']);
  expect(fold('a 1234567890', 9)).toEqual(['a 1234567', '890']);
});

test('fold keeps every character but spaces at the ends of lines, in lines that fit', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 30 }), (whole, columns) => {
      const lines = fold(whole, columns);
      expect(lines.join('').replaceAll(' ', '')).toBe(whole.replaceAll(' ', ''));
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
    }),
  );
});
