import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { chargeEncryptedKey } from '../../../../emulator/sandbox/host/crypto/costs.js';
import { returned, testSandbox } from '../../../support/sandbox.js';
import { width } from '../../../support/width.js';

const sandbox = testSandbox();

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
  "crypto.createPrivateKey({ key: Buffer.alloc(7_000), format: 'der', type: 'pkcs8' })",
  "crypto.createPublicKey('-----BEGIN PRIVATE KEY-----\\n' + 'A'.repeat(10_000) + '\\n-----END PRIVATE KEY-----')",
  "crypto.createPublicKey('-----BEGIN PRIVATE KEY-----\\n' + 'DEK-Info: =' + 'A'.repeat(10_000) + '\\n-----END PRIVATE KEY-----')",
  "crypto.sign('sha256', Buffer.from('a'), { toGuestKey: () => ({ type: 'private', data: 'A'.repeat(10_000) }) })",
  "globalThis.crypto.subtle.importKey('raw', Buffer.from('p'), 'PBKDF2', false, ['deriveBits']).then((key) => globalThis.crypto.subtle.deriveBits({ name: 'PBKDF2', salt: Buffer.from('s'), iterations: 1e9, hash: 'SHA-256' }, key, 256))",
])('work that would take long is refused before it starts: %s', async (call) => {
  expect(await failure(call)).toMatch(/^RangeError: A call of a reactor may use a .* of at most \d+/);
});

test.each([["crypto.scryptSync('p', 's', 8, { N: 2 ** 19, r: 4, maxmem: 2 ** 40 })", /memory limit/i]])(
  'so is work that needs much memory: %s',
  async (call, message) => {
    expect(await failure(call)).toMatch(message);
  },
);

test.each([
  [
    "crypto.getDiffieHellman('modp14')",
    /getDiffieHellman is not available in this runtime. --reactor-runtime node/,
  ],
  ['crypto.generatePrimeSync(64)', /generatePrimeSync is not available in this runtime/],
  ["crypto.generateKeyPairSync('dh', { group: 'modp14' })", /Keys of type dh cannot be generated/],
])('a function that the runtime lacks says so: %s', async (call, message) => {
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

test.runIf(width(false, true))('an RSA key of 4,096 bits is within the limits', async () => {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 4_096,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  expect(
    await failure(`Promise.resolve().then(() => { crypto.createPublicKey(${JSON.stringify(privateKey)}) })`),
  ).toBe('done');
});
