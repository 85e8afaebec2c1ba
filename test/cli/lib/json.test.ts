import fc from 'fast-check';
import { expect, test } from 'vitest';
import { preservesNumbers } from '../../../src/cli/lib/json.js';

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
