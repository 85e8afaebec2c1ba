import { createHmac } from 'node:crypto';
import { base58 } from '@scure/base';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { computeFingerprint } from '../../../../emulator/operations/tokens/fingerprint.js';
import { TOKEN_TYPE_NAMES } from '../../../../src/contract/token-types.js';

it('a fingerprint is an HMAC-SHA-256 over tenant, type and value, keyed per tenant', () => {
  const key = fc.uint8Array({ maxLength: 100 });
  const type = fc.constantFrom(...TOKEN_TYPE_NAMES);
  const short = fc.string({ unit: 'binary' });
  const value = fc.oneof(short, fc.string({ unit: 'binary', minLength: 300, maxLength: 1500 }));
  fc.assert(
    fc.property(key, fc.uuid(), type, value, (key, tenant, type, value) => {
      const hmac = createHmac('sha256', key)
        .update(JSON.stringify([tenant, type, value]))
        .digest();
      const text = Buffer.from(key).toString('base64');
      expect(computeFingerprint(text, tenant, type, value)).toBe(base58.encode(hmac));
    }),
  );
});
