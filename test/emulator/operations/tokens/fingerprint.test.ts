import { base58 } from '@scure/base';
import { expect, it } from 'vitest';
import { computeFingerprint } from '../../../../emulator/operations/tokens/evaluate-token.js';

const KEY = Buffer.alloc(32, 7).toString('base64');
const TENANT = '6f0ec1f1-4f5c-4e4e-9f0e-0d6c2a7f1b11';

it('a fingerprint is the base58 of an HMAC-SHA-256 over tenant, type and value', () => {
  // Computed with: printf '%s' '["6f0e…","card","4242424242424242"]' | openssl dgst -sha256 -mac HMAC -macopt hexkey:0707…
  const expected = 'cfe0b9cc79e3b244458dd8b35d29b517464ba350f3252c9a0b3ec06e46acb0a7';
  const fingerprint = computeFingerprint(KEY, TENANT, 'card', '4242424242424242');
  expect(Buffer.from(base58.decode(fingerprint)).toString('hex')).toBe(expected);
});

it('fingerprints differ between keys, tenants, types and values', () => {
  const otherKey = Buffer.alloc(32, 8).toString('base64');
  const fingerprints = [
    computeFingerprint(KEY, TENANT, 'card_number', '1'),
    computeFingerprint(otherKey, TENANT, 'card_number', '1'),
    computeFingerprint(KEY, TENANT.replace('6', '7'), 'card_number', '1'),
    computeFingerprint(KEY, TENANT, 'token', '1'),
    computeFingerprint(KEY, TENANT, 'card_number', '2'),
  ];
  expect(new Set(fingerprints)).toHaveLength(fingerprints.length);
});
