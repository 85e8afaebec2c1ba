import { TextDecoder } from 'node:util';
import type { Json } from '../../../src/contract/json.js';
import { isObject } from '../../../src/contract/json.js';
import { DEFAULT_HOST_INPUT_LENGTH, HOST_INPUT_LENGTHS, MAX_HOST_INPUT_BYTES } from '../limits.js';
import { toVisibleFields, VisibleError } from '../outcome.js';
import { type GuestKey, KEY_FUNCTIONS, toKeyObject } from './crypto/keys.js';
import { CRYPTO_FUNCTIONS } from './crypto/operations.js';
import { INTL_FUNCTIONS } from './intl.js';
import { URL_FUNCTIONS } from './url.js';
import { ZLIB_FUNCTIONS } from './zlib.js';

const TEXT_FUNCTIONS = {
  decode: (bytes: Buffer, encoding: string, fatal: boolean, ignoreBOM: boolean) =>
    new TextDecoder(encoding, { fatal, ignoreBOM }).decode(bytes),
  decodeBuffer: (bytes: Buffer, encoding: BufferEncoding) => bytes.toString(encoding),
  // `String()` is required: `Buffer.from({ length: n })` would allocate n bytes in the host.
  encodeBuffer: (text: string, encoding: BufferEncoding) => Buffer.from(String(text), encoding),
  canonicalEncoding: (label: string) => new TextDecoder(label).encoding,
};

/**
 * Functions of the host that answer the guest synchronously. Their parameters have the types that the prelude passes; reactor code may
 * pass others. An error that they throw is the reactor's: it says nothing of the host.
 */
const FUNCTIONS: ReadonlyMap<string, (...args: never[]) => unknown> = new Map(
  Object.entries({
    ...CRYPTO_FUNCTIONS,
    ...KEY_FUNCTIONS,
    ...INTL_FUNCTIONS,
    ...TEXT_FUNCTIONS,
    ...URL_FUNCTIONS,
    ...ZLIB_FUNCTIONS,
  }),
);

/**
 * Calls a host function by name.
 * @param json array of the arguments, as `pack` of the prelude encodes them
 * @param bytes the bytes among the arguments
 * @returns an error as data, which the prelude makes an instance of the guest's own error classes
 */
export function callHostFunction(
  name: string,
  json: string,
  bytes: Uint8Array = new Uint8Array(),
): Uint8Array | { value: Json } | { error: object } {
  try {
    const value = call(name, json, bytes);
    return value instanceof Uint8Array ? value : { value };
  } catch (error) {
    return { error: toVisibleFields(error as VisibleError) };
  }
}

/** The sizes of the input are checked before it is parsed, because nothing can stop a native function. */
function call(name: string, json: string, bytes: Uint8Array): Json | Uint8Array {
  const hostFunction = FUNCTIONS.get(name);
  if (!hostFunction) throw new VisibleError('The host has no such function.');
  const maxLength = HOST_INPUT_LENGTHS[name] ?? DEFAULT_HOST_INPUT_LENGTH;
  if (json.length > maxLength)
    throw new VisibleError(`The input is longer than ${maxLength} characters.`, 'RangeError');
  if (bytes.byteLength > MAX_HOST_INPUT_BYTES)
    throw new VisibleError(`The input is longer than ${MAX_HOST_INPUT_BYTES} bytes.`, 'RangeError');
  const args = (JSON.parse(json) as Json[]).map((value) => revive(value, bytes));
  return toResult(hostFunction(...(args as never[])));
}

const MAX_DIGITS = 5_000;

/** Decodes an argument. Bytes are views, so that naming the same ones many times takes no memory. */
function revive(value: Json, bytes: Uint8Array): unknown {
  if (Array.isArray(value)) return value.map((item) => revive(item, bytes));
  if (!isObject(value)) return value;
  if (Array.isArray(value.$bytes)) {
    const [offset, length] = value.$bytes.map(Number);
    const part = bytes.subarray(offset, Number(offset) + Number(length));
    return Buffer.from(part.buffer, part.byteOffset, part.byteLength);
  }
  if (isObject(value.$key)) return toKeyObject(value.$key as unknown as GuestKey);
  if ('$bigint' in value) return parseBigInt(String(value.$bigint));
  if ('$date' in value) return new Date(value.$date === null ? Number.NaN : Number(value.$date));
  if ('$number' in value) return Number(value.$number);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, revive(item, bytes)]));
}

function parseBigInt(digits: string): bigint {
  if (digits.length > MAX_DIGITS) throw new RangeError(`A BigInt has more than ${MAX_DIGITS} digits.`);
  return BigInt(digits);
}

function toResult(value: unknown): Json | Uint8Array {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (value instanceof Uint8Array || Array.isArray(value)) return value as Uint8Array | Json;
  const isIterable = typeof value === 'object' && value !== null && Symbol.iterator in value;
  return (isIterable ? [...(value as Iterable<unknown>)] : (value ?? null)) as Json;
}
