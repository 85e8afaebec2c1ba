import type { GuestKey } from '../../../host/crypto/operation.js';
import { callHost, callHostForBytes } from '../../bridge/host-bridge.js';

/** A key of `crypto`, whose class builds on this file. */
interface KeyLike {
  toGuestKey(): GuestKey;
}

const isKey = (value: unknown): value is KeyLike =>
  typeof value === 'object' && value !== null && typeof (value as Partial<KeyLike>).toGuestKey === 'function';

/** Encodes arguments for a host function: bytes are collected in one buffer, keys are sent as the guest holds them. */
function pack(args: readonly unknown[]): { input: unknown; bytes: ArrayBuffer } {
  const parts: Uint8Array[] = [];
  let offset = 0;
  const encode = (value: unknown): unknown => {
    if (value instanceof ArrayBuffer) return encode(new Uint8Array(value));
    if (ArrayBuffer.isView(value)) {
      const part = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
      const $bytes = [offset, part.length];
      parts.push(part);
      offset += part.length;
      return { $bytes };
    }
    if (isKey(value)) return { $key: value.toGuestKey() };
    if (Array.isArray(value)) return value.map(encode);
    if (typeof value === 'bigint') return Number(value);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, encode(item)]));
  };
  // JSON has no undefined, and null is another argument.
  const length = args.reduce<number>((end, value, index) => (value === undefined ? end : index + 1), 0);
  const input = args.slice(0, length).map(encode);
  const bytes = new Uint8Array(offset);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { input, bytes: bytes.buffer };
}

/** Calls a function of `host/crypto/` that returns JSON. */
export function callCrypto<T>(name: string, ...args: unknown[]): T {
  const { input, bytes } = pack(args);
  return callHost<T>(name, input, bytes);
}

/** Calls a function of `host/crypto/` that returns bytes. */
export function callCryptoForBytes(name: string, ...args: unknown[]): Buffer {
  const { input, bytes } = pack(args);
  const result = callHostForBytes(name, input, bytes);
  return Buffer.from(result.buffer, result.byteOffset, result.byteLength);
}

export const toBuffer = (data: unknown, encoding?: string): Buffer => {
  if (typeof data === 'string')
    return Buffer.from(data, encoding === 'buffer' ? 'utf8' : (encoding as 'utf8'));
  if (isKey(data)) return Buffer.from(data.toGuestKey().data, 'base64');
  if (data instanceof ArrayBuffer) return Buffer.from(data);
  if (ArrayBuffer.isView(data))
    return Buffer.from(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
  throw Object.assign(
    new TypeError(
      'The "data" argument must be of type string or an instance of Buffer, TypedArray, or DataView.',
    ),
    { code: 'ERR_INVALID_ARG_TYPE' },
  );
};

export const toEncoding = (bytes: Buffer, encoding?: string | null): Buffer | string =>
  !encoding || encoding === 'buffer' ? bytes : bytes.toString(encoding as 'hex');

/** Offers a function that computes at once with a callback as well, as its last argument. */
export const withCallback =
  <T>(compute: (...args: never[]) => T) =>
  (...args: unknown[]): void => {
    const callback = args.pop();
    if (typeof callback !== 'function')
      throw Object.assign(new TypeError('The "callback" argument must be of type function.'), {
        code: 'ERR_INVALID_ARG_TYPE',
      });
    let results: unknown[];
    try {
      const result = compute(...(args as never[]));
      results = [null, ...(Array.isArray(result) ? (result as unknown[]) : [result])];
    } catch (error) {
      // Invalid arguments are thrown, other failures passed on.
      if ((error as { code?: string }).code?.startsWith('ERR_INVALID_ARG')) throw error;
      results = [error];
    }
    setImmediate(() => Reflect.apply(callback, undefined, results));
  };
