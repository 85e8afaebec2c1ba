import { expect, test } from 'vitest';
import { maskJson } from '../../src/contract/masking.js';

test('masked JSON keeps its structure, but no text, number or name that looks like personal data', () => {
  const value = { amount: 1999, 'ada@example.com': ['secret', null, true], '4242424242424242': {} };
  expect(maskJson(value)).toEqual({
    amount: 'XXXX',
    XXXXXXXXXXXXXXX: ['XXXXXX', null, true],
    XXXXXXXXXXXXXXXX: {},
  });
});
