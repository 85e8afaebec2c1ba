import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { chargeEncryptedKey } from '../../../../emulator/sandbox/host/crypto/costs.js';
import { returned, testSandbox } from '../../../support/sandbox.js';
import { width } from '../../../support/width.js';

const sandbox = testSandbox();

/** Returns the name of the error that a call of crypto throws. */
const failure = (call: string) =>
  returned(
    sandbox,
    `module.exports = async () => {
       const crypto = require('crypto');
       try { await (${call}); return 'done' } catch (error) { return error.name + ': ' + error.message }
     };`,
  );

test.each([
  "crypto.pbkdf2Sync('p', 's', 2_000_001, 8, 'sha256')",
  "crypto.pbkdf2Sync('p', 's', 1_000_000, 128, 'sha256')",
  "crypto.pbkdf2Sync('p', Buffer.alloc(2 ** 22), 1, 2 ** 20, 'sha256')",
  "crypto.scryptSync('p', 's', 8, { N: 2 ** 20, r: 8, maxmem: 2 ** 40 })",
  "crypto.scryptSync('p', 's', 8, { N: 2, r: 1, p: 2 ** 24 })",
  "crypto.generateKeyPairSync('rsa', { modulusLength: 8192 })",
  "crypto.generateKeyPairSync('dsa', { modulusLength: 3072, divisorLength: 256 })",
  "crypto.generateKeyPairSync('dsa', { modulusLength: 2048, divisorLength: 257 })",
  "crypto.generateKeyPairSync('dh', { prime: Buffer.alloc(512, 255) })",
  'crypto.generatePrimeSync(2049)',
  'crypto.generatePrimeSync(513, { safe: true })',
  'crypto.checkPrimeSync(Buffer.alloc(385, 255))',
  'crypto.checkPrimeSync(Buffer.alloc(256, 255), { checks: 1_000 })',
  'crypto.checkPrimeSync(2n ** 89n - 1n, { checks: 100_000 })',
  'crypto.createDiffieHellman(Buffer.alloc(512, 255))',
  "crypto.createDiffieHellman(crypto.getDiffieHellman('modp16').getPrime(), 5)",
  "crypto.createPrivateKey({ key: Buffer.alloc(7_000), format: 'der', type: 'pkcs8' })",
  "crypto.createPublicKey('-----BEGIN PRIVATE KEY-----\\n' + 'A'.repeat(10_000) + '\\n-----END PRIVATE KEY-----')",
  "crypto.createPublicKey('-----BEGIN PRIVATE KEY-----\\n' + 'DEK-Info: =' + 'A'.repeat(10_000) + '\\n-----END PRIVATE KEY-----')",
  "crypto.sign('sha256', Buffer.from('a'), { toGuestKey: () => ({ type: 'private', data: 'A'.repeat(10_000) }) })",
  "globalThis.crypto.subtle.importKey('raw', Buffer.from('p'), 'PBKDF2', false, ['deriveBits']).then((key) => globalThis.crypto.subtle.deriveBits({ name: 'PBKDF2', salt: Buffer.from('s'), iterations: 1e9, hash: 'SHA-256' }, key, 256))",
])('work that would take long is refused before it starts: %s', async (call) => {
  expect(await failure(call)).toMatch(/^RangeError: A call of a reactor may use a .* of at most \d+/);
});

test.each([
  ["crypto.scryptSync('p', 's', 8, { N: 2 ** 19, r: 4, maxmem: 2 ** 40 })", /memory limit/i],
  ['crypto.createDiffieHellman(256)', /cannot be generated.*modp14/],
  ["crypto.generateKeyPairSync('dh', { primeLength: 256 })", /cannot be generated.*modp14/],
  ['crypto.generatePrimeSync(64, { add: Buffer.from([6]), rem: Buffer.from([3]) })', /cannot be generated/],
  [
    "Promise.resolve().then(() => crypto.createDiffieHellman(crypto.getDiffieHellman('modp14').getPrime()).setPrivateKey(Buffer.alloc(257, 1)))",
    /at most the 256 bytes of the prime/,
  ],
])('so is work that needs much memory, or whose time nobody knows: %s', async (call, message) => {
  expect(await failure(call)).toMatch(message);
});

test('an encrypted key may not ask for more iterations than a derivation', () => {
  const encode = { type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'p' } as const;
  const options = { namedCurve: 'P-256' };
  const pair = (format: 'pem' | 'der') =>
    generateKeyPairSync('ec', {
      ...options,
      privateKeyEncoding: { ...encode, format: format as 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
  const { privateKey: pem } = pair('pem');
  expect(() => chargeEncryptedKey(pem)).not.toThrow();
  const der = Buffer.from(pair('der').privateKey as unknown as Uint8Array);
  expect(() => chargeEncryptedKey(der)).not.toThrow();
  // The iterations (2,048) become 0x7fff.... in place of the integer and what follows it.
  const at = der.indexOf(Buffer.from([0x02, 0x02, 0x08, 0x00]));
  const costly = Buffer.concat([
    der.subarray(0, at),
    Buffer.from([0x02, 0x04, 0x7f, 0xff, 0xff, 0xff]),
    der.subarray(at + 4),
  ]);
  expect(at).toBeGreaterThan(0);
  expect(() => chargeEncryptedKey(costly)).toThrow();
  expect(() =>
    chargeEncryptedKey(`-----BEGIN ENCRYPTED PRIVATE KEY-----\n${costly.toString('base64')}\n-----END`),
  ).toThrow();
  expect(() => chargeEncryptedKey(Buffer.from([0x30, 0x80, 0x02, 0x01]))).toThrow('not DER');
});

test('a cipher of another invocation cannot be guessed or kept for ever', async () => {
  expect(
    await failure(
      "Promise.resolve().then(() => { const c = Array.from({ length: 1_500 }, () => crypto.createCipheriv('aes-128-ecb', Buffer.alloc(16), null)); c[0].update('a') })",
    ),
  ).toMatch(/no longer available/);
});

test.runIf(width(false, true))(
  'an RSA key of 4,096 bits and the groups of Diffie-Hellman are within the limits',
  async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 4_096,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    expect(
      await failure(
        `Promise.resolve().then(() => {
         crypto.createPublicKey(${JSON.stringify(privateKey)});
         for (const group of ['modp16', 'modp18']) {
           const prime = crypto.getDiffieHellman(group).getPrime();
           crypto.createDiffieHellman(prime).generateKeys();
           crypto.createDiffieHellman(prime, Buffer.from([0, 2])).generateKeys();
           crypto.generateKeyPairSync('dh', { prime });
         }
       })`,
      ),
    ).toBe('done');
  },
);
