import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findCardNumbers, findKeys } from '../../../../src/cli/reactors/build/secret-scan.js';
import { luhnValid } from '../../../../src/contract/card-numbers.js';

test.each([
  ['plain', `const number = '4242424242424242';`],
  ['in groups', 'number: 4242 4242 4242 4242'],
  ['with dashes', '"5555-5555-5555-4444"'],
  ['American Express', '378282246310005'],
  ['as a number', 'const n = 6011111111111117;'],
])('card numbers: %s', (_name, text) => {
  expect(findCardNumbers(text)).toHaveLength(1);
});

test.each([
  ['a wrong checksum', '4242424242424241'],
  ['no issuer', '9007199254740991'],
  ['a timestamp', '1767225600000'],
  ['a UUID', '550e8400-e29b-41d4-a716-446655440000'],
  ['a longer run of digits', '42424242424242424242424242424242'],
  ['a decimal', '0.4242424242424242'],
  ['masked', 'XXXXXXXXXXXX4242'],
])('card numbers: not %s', (_name, text) => {
  expect(findCardNumbers(text)).toEqual([]);
});

test('card numbers are reported with their position', () => {
  expect(findCardNumbers(`a\n  b('4242424242424242')`)).toEqual([
    { kind: 'a card number', line: 2, column: 6 },
  ]);
});

test('card numbers: every card number of a known issuer with a valid checksum is found at any position', () => {
  const digits = fc
    .tuple(
      fc.constantFrom('4', '51', '2221'),
      fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 15, maxLength: 15 }),
    )
    .map(([prefix, rest]) => {
      const body = (prefix + rest).slice(0, 15);
      return body + [...'0123456789'].find((last) => luhnValid(body + last));
    });
  fc.assert(
    fc.property(digits, fc.constantFrom('"', ' ', '(', '=', '\n'), (number, around) => {
      expect(findCardNumbers(`x${around}${number}${around}y`)).toHaveLength(1);
    }),
  );
});

const hex = 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6';
test.each([
  ['a payment processor key', `const k = 'sk_${'live'}_${hex}'`],
  ['an AWS access key', `AKIA${'IOSFODNN7EXAMPLE'}`],
  ['a private key', `-----BEGIN RSA ${'PRIVATE'} KEY-----`],
  [
    'a signed token (JWT)',
    `eyJ${'hbGciOiJIUzI1NiJ9'}.eyJ${'zdWIiOiIxMjM0NTY3ODkwIn0'}.dozjgNryP4J3jVmNHl0w5N`,
  ],
  ['a secret', `const apiKey = "${hex}";`],
  ['a secret', `{ "client_secret": "${hex}" }`],
])('keys: %s', (kind, text) => {
  expect(findKeys(text)).toEqual([expect.objectContaining({ kind })]);
});

test.each([
  ['a key read from the configuration', 'const apiKey = req.configuration.PROCESSOR_API_KEY;'],
  ['a short value', `password: 'secret1'`],
  ['prose', `const secret = 'the secret must not be longer than 20 characters'`],
  ['a message', `throw new Error('apiKey: missing')`],
])('keys: not %s', (_name, text) => {
  expect(findKeys(text)).toEqual([]);
});
