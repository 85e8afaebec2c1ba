import { expect, test } from 'vitest';
import { checkKeys } from '../../../../emulator/services/tenants/seed-tenant.js';

test('checkKeys accepts distinct keys of printable ASCII characters, or no keys', () => {
  expect(() => checkKeys({})).not.toThrow();
  expect(() => checkKeys({ private: 'key_1', public: 'key~!' })).not.toThrow();
});

test.each(['', 'a b', 'a\n', 'schlüssel'])('checkKeys rejects %j and names the application only', (key) => {
  expect(() => checkKeys({ private: key })).toThrow(
    'The private key must be printable ASCII characters without spaces.',
  );
});

test('checkKeys rejects two equal keys', () => {
  expect(() => checkKeys({ private: 'same', public: 'same' })).toThrow(
    'The private key and the public key must differ.',
  );
});
