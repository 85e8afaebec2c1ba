import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  KeyObject,
  type PrivateKeyInput,
  type PublicKeyInput,
} from 'node:crypto';
import type { Json } from '../../../../src/contract/json.js';
import { VisibleError } from '../../outcome.js';
import type { HostFunction } from '../services.js';
import {
  chargeEncryptedKey,
  chargeKeyGeneration,
  chargePrivateKey,
  chargePrivateKeyImport,
} from './costs.js';
import { createOperation } from './operation.js';

/** A key, or options with a key, as the functions of `node:crypto` take them. */
export type KeyArgument = KeyObject | string | Buffer | (Omit<PrivateKeyInput, 'key'> & { key: unknown });
/** Options with a key that is ready to use. */
type LoadedKey = { key: KeyObject };

const GENERATED = ['rsa', 'rsa-pss', 'ec', 'ed25519', 'ed448', 'x25519', 'x448'];

const isOptions = (argument: KeyArgument): argument is Exclude<KeyArgument, KeyObject | string | Buffer> =>
  typeof argument === 'object' && !(argument instanceof KeyObject) && !Buffer.isBuffer(argument);

function load(argument: KeyArgument, create: (input: never) => KeyObject): LoadedKey {
  const options = isOptions(argument) ? argument : { key: argument };
  const { key } = options;
  if (key instanceof KeyObject) return { ...options, key };
  if (typeof key === 'string' || Buffer.isBuffer(key)) {
    if ((options as { type?: string }).type !== 'spki') chargePrivateKeyImport(key);
    if ('passphrase' in options) chargeEncryptedKey(key);
  }
  return { ...options, key: create(options as never) };
}

export function loadPrivateKey(argument: KeyArgument): LoadedKey {
  const loaded = load(argument, createPrivateKey as (input: PrivateKeyInput) => KeyObject);
  chargePrivateKey(loaded.key);
  return loaded;
}

export const loadPublicKey = (argument: KeyArgument): LoadedKey =>
  load(argument, createPublicKey as (input: PublicKeyInput) => KeyObject);

/** Describes a key for the guest: `GuestKey`, and the properties of a `KeyObject`. */
function describeKey(key: KeyObject): Json {
  const data =
    key.type === 'private'
      ? key.export({ format: 'der', type: 'pkcs8' })
      : key.export({ format: 'der', type: 'spki' });
  const { publicExponent, ...details } = key.asymmetricKeyDetails ?? {};
  return {
    type: key.type,
    data: data.toString('base64'),
    asymmetricKeyType: key.asymmetricKeyType ?? null,
    asymmetricKeyDetails: {
      ...(details as Record<string, Json>),
      ...(publicExponent !== undefined && { publicExponent: String(publicExponent) }),
    },
  };
}

interface PairOptions {
  modulusLength?: number;
}

function generatePair(type: string, options: PairOptions = {}): Json {
  if (!GENERATED.includes(type)) throw new VisibleError(`Keys of type ${type} cannot be generated.`, 'Error');
  chargeKeyGeneration(options.modulusLength);
  const { publicKey, privateKey } = generateKeyPairSync(type as 'ec', options as never) as unknown as Record<
    'publicKey' | 'privateKey',
    KeyObject
  >;
  return { publicKey: describeKey(publicKey), privateKey: describeKey(privateKey) };
}

/** Exports as PEM, DER or JWK. */
function exportKey(key: KeyObject, options: object): Json | Uint8Array {
  return key.export(options as { format: 'pem'; type: 'spki' }) as unknown as Json | Uint8Array;
}

export const KEY_FUNCTIONS: Record<string, HostFunction> = {
  importPrivateKey: createOperation((argument: KeyArgument) => describeKey(loadPrivateKey(argument).key)),
  importPublicKey: createOperation((argument: KeyArgument) => {
    const { key } = loadPublicKey(argument);
    return describeKey(key.type === 'private' ? createPublicKey(key as never) : key);
  }),
  exportKey: createOperation(exportKey),
  generateKeyPair: createOperation(generatePair),
};
