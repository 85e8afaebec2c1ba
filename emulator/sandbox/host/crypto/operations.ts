import crypto, { createECDH, createHash, type ECDH, getCurves } from 'node:crypto';
import type { Json } from '../../../../src/contract/json.js';
import type { HostFunction } from '../services.js';
import { chargePbkdf2, chargeScrypt } from './costs.js';
import { hasDigest } from './digest.js';
import { type KeyArgument, loadPrivateKey, loadPublicKey } from './keys.js';
import { createOperation } from './operation.js';

function pbkdf2(
  password: Buffer,
  salt: Buffer,
  iterations: number,
  keyBytes: number,
  digest: string,
): Buffer {
  const digestBytes = hasDigest(digest) ? createHash(digest).digest().length : undefined;
  chargePbkdf2(iterations, keyBytes, salt.length, digestBytes);
  return crypto.pbkdf2Sync(password, salt, iterations, keyBytes, digest);
}

const scrypt = (
  password: Buffer,
  salt: Buffer,
  keyBytes: number,
  options: crypto.ScryptOptions = {},
): Buffer => crypto.scryptSync(password, salt, keyBytes, chargeScrypt(keyBytes, salt.length, options));

function generateEcdh(curve: string): Json {
  const ecdh = createECDH(curve);
  ecdh.generateKeys();
  return ecdh.getPrivateKey('base64');
}

function ecdhOf(curve: string, privateKey: Buffer): ECDH {
  const ecdh = createECDH(curve);
  ecdh.setPrivateKey(privateKey);
  return ecdh;
}

/** Functions of `node:crypto` that keys are used with. */
export const CRYPTO_OPERATIONS: Record<string, HostFunction> = {
  sign: createOperation((algorithm: string | null, data: Buffer, key: KeyArgument) =>
    crypto.sign(algorithm, data, loadPrivateKey(key)),
  ),
  verify: createOperation((algorithm: string | null, data: Buffer, key: KeyArgument, signature: Buffer) =>
    crypto.verify(algorithm, data, loadPublicKey(key), signature),
  ),
  publicEncrypt: createOperation((key: KeyArgument, data: Buffer) =>
    crypto.publicEncrypt(loadPublicKey(key), data),
  ),
  publicDecrypt: createOperation((key: KeyArgument, data: Buffer) =>
    crypto.publicDecrypt(loadPublicKey(key), data),
  ),
  privateEncrypt: createOperation((key: KeyArgument, data: Buffer) =>
    crypto.privateEncrypt(loadPrivateKey(key), data),
  ),
  privateDecrypt: createOperation((key: KeyArgument, data: Buffer) =>
    crypto.privateDecrypt(loadPrivateKey(key), data),
  ),
  diffieHellman: createOperation((options: { privateKey: crypto.KeyObject; publicKey: crypto.KeyObject }) =>
    crypto.diffieHellman(options),
  ),
  pbkdf2: createOperation(pbkdf2),
  scrypt: createOperation(scrypt),
  hkdf: createOperation((digest: string, key: Buffer, salt: Buffer, info: Buffer, keyBytes: number) =>
    Buffer.from(crypto.hkdfSync(digest, key, salt, info, keyBytes)),
  ),
  curves: () => getCurves(),
  cryptoConstants: () => ({ ...(crypto.constants as unknown as Record<string, number>) }),
  generateEcdh: createOperation(generateEcdh),
  ecdhPublicKey: createOperation((curve: string, privateKey: Buffer, format?: 'compressed') =>
    Buffer.from(ecdhOf(curve, privateKey).getPublicKey(null as never, format)),
  ),
  ecdhSecret: createOperation((curve: string, privateKey: Buffer, publicKey: Buffer) =>
    ecdhOf(curve, privateKey).computeSecret(publicKey),
  ),
};
