import { createHmac, createPrivateKey, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { isObject, jsonOf } from '../../../src/contract/json.js';
import { LIMITS } from '../../../src/contract/limits.js';
import type { TokenType } from '../../../src/contract/token-types.js';
import { isUuid } from '../../../src/contract/uuid.js';
import type { Json } from '../../expressions/index.js';
import { problem, validationProblem } from '../../problems/problem.js';
import type { KeyRecord, TenantRecord } from '../../store/records.js';
import type { Call, Context } from '../context.js';
import { checkBody } from '../json-body.js';
import { adaptExpiration } from '../lenient-input.js';
import { isExpired } from '../token-expiry.js';

const ACCEPTED = {
  keyManagementAlgorithms: ['RSA-OAEP-256'],
  contentEncryptionAlgorithms: ['A256GCM'],
  /** Compressed data would be larger than the body that it came in. */
  maxDecompressedLength: 0,
};

export type DecryptServices = Pick<Context, 'store' | 'clock' | 'options'>;

/** To decrypt a private key takes longer than to decrypt with it. */
const privateKeys = new LRUCache<string, KeyObject>({ max: LIMITS.encryptionKeys });

/** Derives what encrypts the private half of a key from a secret of its tenant. */
export const passphraseOf = (tenant: TenantRecord, keyId: string): string =>
  createHmac('sha256', tenant.fingerprint_key).update(`key ${keyId}`).digest('base64');

function privateKeyOf({ id, private_key: key }: KeyRecord, tenant: TenantRecord): KeyObject {
  const known = privateKeys.get(key) ?? createPrivateKey({ key, passphrase: passphraseOf(tenant, id) });
  privateKeys.set(key, known);
  return known;
}

/** Decrypts the data of a token. @throws ProblemError 422 for a key that is unknown or not the right one; else 400 */
export async function decryptData(
  jwe: string,
  type: TokenType,
  { tenant }: Pick<Call, 'tenant'>,
  { store, clock, options }: DecryptServices,
): Promise<NonNullable<Json>> {
  const { compactDecrypt, errors } = await import('jose');
  const id = String(headerOf(jwe).kid).toLowerCase();
  const key = isUuid(id) ? await store.get('keys', tenant.id, id) : undefined;
  if (!key) throw undecryptable('There is no key with the id that `encrypted` has as its kid.');
  if (isExpired(key, clock.now()))
    throw undecryptable(`The key ${id} of \`encrypted\` expired at ${key.expires_at}.`);
  try {
    const { plaintext } = await compactDecrypt(jwe, privateKeyOf(key, tenant), ACCEPTED);
    const data = parseData(plaintext);
    return options.lenient && type === 'card' ? (adaptExpiration(data) as typeof data) : data;
  } catch (error) {
    if (error instanceof errors.JWEDecryptionFailed)
      throw undecryptable('The key that `encrypted` has as its kid does not decrypt it.');
    if (error instanceof errors.JOSEError)
      throw invalid(
        'must be a JWE in compact form, with RSA-OAEP-256 and A256GCM, not compressed, and a key of POST /keys as kid',
      );
    throw error;
  }
}

/** Whatever is not a header says no `kid`. */
function headerOf(jwe: string): { kid?: unknown } {
  const header = jsonOf(Buffer.from(jwe.slice(0, jwe.indexOf('.')), 'base64url').toString());
  return isObject(header) ? header : {};
}

function parseData(plaintext: Uint8Array): NonNullable<Json> {
  let data: Json;
  try {
    data = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(plaintext));
  } catch {
    throw invalid('must encrypt JSON');
  }
  if (data === null) throw invalid('must encrypt any JSON value except null');
  checkBody(data, 'encrypted');
  return data;
}

const undecryptable = (detail: string) => problem('undecryptable', detail);
const invalid = (message: string) => validationProblem({ encrypted: [message] });
