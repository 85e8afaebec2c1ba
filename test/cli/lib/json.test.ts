import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepsNumbers } from '../../../src/cli/lib/json.js';

test('what JSON writes it keeps, whatever stands in its strings', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => keepsNumbers(JSON.stringify(value))));
});

test.each(['0', '-0.0', '1.50', '1E+2', '100000000000000000000', '0.10000000000000001'])(
  '%s stays',
  (text) => {
    expect(keepsNumbers(text)).toBe(true);
  },
);

test.each(['12345678901234567890', '-9007199254740993', '0.1234567890123456789', '1e400', '1e-400'])(
  '%s would become another',
  (text) => {
    expect(keepsNumbers(`{"a":["\\"",${text}]}`)).toBe(false);
    expect(keepsNumbers(`{"a":["\\"","${text}"]}`)).toBe(true);
  },
);
