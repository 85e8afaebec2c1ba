import buffer from 'buffer';
import { callHost, createArgumentError, describeReceived, isKey } from '../bridge/host.js';
import { Blob, File } from '../web/blob.js';

const { Buffer } = buffer;

const { from, isEncoding, byteLength } = Buffer;
const bytesToText = Buffer.prototype.toString;

const isBase64Url = (encoding: unknown): boolean => String(encoding).toLowerCase() === 'base64url';
const isSupported = (encoding: unknown): boolean => isBase64Url(encoding) || isEncoding(encoding as string);

const encode = (text: string, encoding: unknown): Buffer => callHost('encodeBuffer', text, encoding);

// Lets the host convert between text and bytes. It supports `base64url`, which the package lacks, and is not slowed down by an
// interpreted loop over the bytes. Invalid arguments are left to the package, which throws the errors of Node.js.

Object.assign(Buffer, {
  // A function that can be a constructor, because old code writes `new Buffer.from(text)`.
  from: function createBuffer(value: unknown, encodingOrOffset?: unknown, length?: number): Buffer {
    const encoding = encodingOrOffset ?? 'utf8';
    return typeof value === 'string' && isSupported(encoding)
      ? encode(value, encoding)
      : Reflect.apply(from, Buffer, [value, encodingOrOffset, length]);
  },
  isEncoding: isSupported,
  byteLength: (value: string, encoding?: string): number =>
    isBase64Url(encoding)
      ? encode(value, encoding).byteLength
      : byteLength.call(Buffer, value, encoding as 'utf8'),
});
Buffer.prototype.equals = function equals(this: Uint8Array, other: unknown): boolean {
  if (other instanceof Uint8Array) return Buffer.compare(this, other) === 0;
  throw createArgumentError(
    `The "otherBuffer" argument must be an instance of Buffer or Uint8Array. ${describeReceived(other)}`,
  );
};
for (const encoding of ['ascii', 'base64', 'hex', 'latin1', 'ucs2', 'utf8'] as const)
  Object.defineProperty(Buffer.prototype, `${encoding}Slice`, {
    value(this: Buffer, start?: number, end?: number) {
      return this.toString(encoding, start, end);
    },
  });
Buffer.prototype.toString = function decodeBytes(
  this: Uint8Array,
  encoding: unknown = 'utf8',
  start = 0,
  end = this.length,
) {
  return isSupported(encoding)
    ? callHost('decodeBuffer', this.subarray(Math.max(0, start), Math.max(0, end)), encoding)
    : bytesToText.call(this, encoding as 'utf8', start, end);
} as typeof bytesToText;

export const bufferModule = {
  ...buffer,
  Blob,
  File,
  constants: { MAX_LENGTH: buffer.kMaxLength, MAX_STRING_LENGTH: 2 ** 29 - 24 },
  atob: (text: unknown): string => atob(text),
  btoa: (text: unknown): string => btoa(text),
};

const invalidCharacter = () => new DOMException('Invalid character', 'InvalidCharacterError');

export function btoa(value: unknown): string {
  const text = String(value);
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 255) throw invalidCharacter();
  return Buffer.from(text, 'latin1').toString('base64');
}

export function atob(value: unknown): string {
  const text = String(value).replace(/[\t\n\f\r ]/g, '');
  const bare = text.length % 4 === 0 ? text.replace(/={1,2}$/, '') : text;
  if (bare.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(bare)) throw invalidCharacter();
  return Buffer.from(bare, 'base64').toString('latin1');
}

/** Reads an argument of `crypto`: text, bytes or a key. */
export function toBuffer(data: unknown, encoding?: string): Buffer {
  if (typeof data === 'string')
    return Buffer.from(data, encoding === 'buffer' ? 'utf8' : (encoding as 'utf8'));
  if (isKey(data)) return Buffer.from(data.toGuestKey().data, 'base64');
  if (data instanceof ArrayBuffer) return Buffer.from(data);
  if (ArrayBuffer.isView(data))
    return Buffer.from(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
  throw createArgumentError(
    'The "data" argument must be of type string or an instance of Buffer, TypedArray, or DataView.',
  );
}

export const toEncoding = (bytes: Buffer, encoding?: string | null): Buffer | string =>
  !encoding || encoding === 'buffer' ? bytes : bytes.toString(encoding as 'hex');
