import { createPrivateKey, createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import { isObject, type Json } from '../../../../src/contract/json.js';
import { withVisibleErrors } from '../../outcome.js';
import type { HostFunction } from '../services.js';
import { chargePrivateKeyBytes } from './costs.js';

/** A key as the guest holds it. `data` is Base64: the bytes of a secret, PKCS #8 of a private key or SPKI of a public one, in DER. */
export interface GuestKey {
  type: 'secret' | 'private' | 'public';
  data: string;
}

function toKeyObject({ type, data }: GuestKey): KeyObject {
  const key = Buffer.from(data, 'base64');
  if (type === 'secret') return createSecretKey(key);
  if (type === 'private') {
    chargePrivateKeyBytes(key);
    return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  }
  return createPublicKey({ key, format: 'der', type: 'spki' });
}

/** Decodes the arguments of a call: `{ $bytes: [offset, length] }` is a part of `bytes`, `{ $key: GuestKey }` a key. */
function revive(value: Json, bytes: Uint8Array): unknown {
  if (Array.isArray(value)) return value.map((item) => revive(item, bytes));
  if (!isObject(value)) return value;
  if (Array.isArray(value.$bytes)) {
    const [offset, length] = value.$bytes.map(Number);
    return Buffer.from(bytes.subarray(offset, Number(offset) + Number(length)));
  }
  if (isObject(value.$key)) return toKeyObject(value.$key as unknown as GuestKey);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, revive(item, bytes)]));
}

/** Creates a host function from one of Node.js. Its errors are those of the reactor: they say nothing of the host. */
export const createOperation =
  (operation: (...args: never[]) => Json | Uint8Array): HostFunction =>
  (input, bytes = new Uint8Array()) =>
    withVisibleErrors(() => operation(...(revive(input, bytes) as never[])));
