import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  KeyObject,
  type PrivateKeyInput,
  type PublicKeyInput,
} from 'node:crypto';
import { VisibleError } from '../../outcome.js';
import {
  chargeEncryptedKey,
  chargeKeyGeneration,
  chargePrivateKey,
  chargePrivateKeyBytes,
  chargePrivateKeyImport,
} from './costs.js';

/** A key as the guest holds it. `data` is Base64: the bytes of a secret, PKCS #8 of a private key or SPKI of a public one, in DER. */
export type GuestKey = { type: 'secret' | 'private' | 'public'; data: string };

export function toKeyObject({ type, data }: GuestKey): KeyObject {
  const key = Buffer.from(String(data), 'base64');
  if (type === 'secret') return createSecretKey(key);
  if (type === 'public') return createPublicKey({ key, format: 'der', type: 'spki' });
  chargePrivateKeyBytes(key);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

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
function describeKey(key: KeyObject): object {
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
      ...details,
      ...(publicExponent !== undefined && { publicExponent: String(publicExponent) }),
    },
  };
}

function generateKeyPair(type: string, options: { modulusLength?: number } = {}): object {
  if (!GENERATED.includes(type)) throw new VisibleError(`Keys of type ${type} cannot be generated.`, 'Error');
  chargeKeyGeneration(options.modulusLength);
  const { publicKey, privateKey } = generateKeyPairSync(type as 'ec', options as never) as unknown as Record<
    'publicKey' | 'privateKey',
    KeyObject
  >;
  return { publicKey: describeKey(publicKey), privateKey: describeKey(privateKey) };
}

export const KEY_FUNCTIONS = {
  importPrivateKey: (argument: KeyArgument) => describeKey(loadPrivateKey(argument).key),
  importPublicKey: (argument: KeyArgument) => {
    const { key } = loadPublicKey(argument);
    return describeKey(key.type === 'private' ? createPublicKey(key as never) : key);
  },
  // As PEM, DER or JWK.
  exportKey: (key: KeyObject, options: object) => key.export(options as { format: 'pem'; type: 'spki' }),
  generateKeyPair,
};
