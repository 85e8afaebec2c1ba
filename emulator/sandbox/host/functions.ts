import { TextDecoder } from 'node:util';
import type { Json } from '../../../src/contract/json.js';
import { isObject } from '../../../src/contract/json.js';
import { findTextFault } from '../../lib/json-bounds.js';
import {
  DEFAULT_HOST_INPUT_LENGTH,
  HOST_INPUT_BOUNDS,
  HOST_INPUT_LENGTHS,
  MAX_HOST_INPUT_BYTES,
} from '../limits.js';
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

/** Answer the guest synchronously. Reactor code may pass arguments of other types; the errors are the reactor's. */
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

/** The arguments, by position, that take long bytes: data. */
const DATA_ARGUMENTS: Readonly<Record<string, readonly number[]>> = {
  decode: [0],
  decodeBuffer: [0],
  zlib: [1],
  digest: [1, 2],
  updateCipher: [1],
  setAad: [1],
  sign: [1],
  verify: [1],
  timingSafeEqual: [0, 1],
  pbkdf2: [0, 1],
  scrypt: [0, 1],
  hkdf: [1, 2, 3],
};

/** Functions whose other arguments may be or hold bytes as well, such as keys. Others would turn them into text. */
const TAKE_KEYS: ReadonlySet<string> = new Set([
  ...Object.keys({ ...CRYPTO_FUNCTIONS, ...KEY_FUNCTIONS, ...ZLIB_FUNCTIONS }),
]);

/** Calls a host function with what `pack` of the prelude has encoded. Errors are returned as data for the guest. */
export function callHostFunction(name: string, json: string, bytes: Uint8Array = new Uint8Array()) {
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
  if (findTextFault(json, HOST_INPUT_BOUNDS))
    throw new VisibleError('The input has too many values, or is nested too deeply.', 'RangeError');
  const values = JSON.parse(json) as Json[];
  const args = json.includes(ENCODED) ? reviveArguments(name, values, bytes) : values;
  return toResult(hostFunction(...(args as never[])));
}

/** Begins what `pack` encodes, in a text that may also say it otherwise. */
const ENCODED = '{"$';
const MAX_DIGITS = 5_000;

type ViewBytes = (place: readonly Json[]) => Buffer;

/** Decodes arguments. Bytes are views, and are charged as often as they are named. */
function reviveArguments(name: string, values: readonly Json[], bytes: Uint8Array): unknown[] {
  const charge = (limit: number): ViewBytes => {
    let left = limit;
    return (place) => {
      const [offset = 0, length = 0] = place.map(Number);
      const part = bytes.subarray(offset, offset + length);
      left -= part.byteLength;
      if (left < 0)
        throw new VisibleError(
          limit === 0 ? 'The argument must not be bytes.' : `An argument is longer than ${limit} bytes.`,
          limit === 0 ? 'TypeError' : 'RangeError',
        );
      return Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    };
  };
  const data = charge(MAX_HOST_INPUT_BYTES);
  const keys = charge(TAKE_KEYS.has(name) ? DEFAULT_HOST_INPUT_LENGTH : 0);
  const isData = (value: Json, at: number) =>
    DATA_ARGUMENTS[name]?.includes(at) && isObject(value) && Array.isArray(value.$bytes);
  return values.map((value, at) => revive(value, isData(value, at) ? data : keys));
}

function revive(value: Json, view: ViewBytes): unknown {
  if (Array.isArray(value)) return value.map((item) => revive(item, view));
  if (!isObject(value)) return value;
  if (Array.isArray(value.$bytes)) return view(value.$bytes as Json[]);
  if (isObject(value.$key)) return toKeyObject(value.$key as unknown as GuestKey);
  if ('$bigint' in value) return parseBigInt(String(value.$bigint));
  if ('$date' in value) return new Date(value.$date === null ? Number.NaN : Number(value.$date));
  if ('$number' in value) return Number(value.$number);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, revive(item, view)]));
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
