import * as buffer from 'buffer';
import { callHost, callHostForBytes, toArrayBuffer } from '../bridge/host-bridge.js';

const { Buffer } = buffer;

/** From this length on the host is faster than a loop in the engine. */
const BULK = 256;
const BULK_ENCODINGS = [
  'utf8',
  'utf-8',
  'base64',
  'base64url',
  'hex',
  'latin1',
  'binary',
  'ascii',
  'utf16le',
  'ucs2',
];

const isBulk = (length: number, encoding: unknown): boolean =>
  length >= BULK && BULK_ENCODINGS.includes(String(encoding).toLowerCase());

/** Long texts are converted by the host; `base64url`, which the package has not, always. */
export function patchBuffer(): void {
  const { from, isEncoding } = Buffer;
  const toText = Buffer.prototype.toString;
  const isUrl = (encoding: unknown) => String(encoding).toLowerCase() === 'base64url';

  Object.assign(Buffer, {
    from(value: unknown, encodingOrOffset?: unknown, length?: number) {
      const encoding = encodingOrOffset ?? 'utf8';
      if (typeof value !== 'string' || !(isBulk(value.length, encoding) || isUrl(encoding))) {
        return Reflect.apply(from, Buffer, [value, encodingOrOffset, length]);
      }
      return from.call(
        Buffer,
        toArrayBuffer(callHostForBytes('encodeBuffer', { text: value, encoding })) as never,
      );
    },
    isEncoding: (encoding: unknown) => isUrl(encoding) || isEncoding.call(Buffer, encoding as string),
    byteLength: byteLength(Buffer.byteLength),
  });

  Buffer.prototype.toString = function text(
    this: Uint8Array,
    encoding: unknown = 'utf8',
    start = 0,
    end = this.length,
  ) {
    if (!isBulk(end - start, encoding) && !isUrl(encoding))
      return toText.call(this, encoding as 'utf8', start, end);
    return callHost('decodeBuffer', encoding, toArrayBuffer(this.subarray(start, end)));
  } as typeof toText;
}

const byteLength =
  (original: typeof Buffer.byteLength) =>
  (value: string, encoding?: string): number =>
    encoding === 'base64url'
      ? Buffer.from(value, 'base64url').length
      : original.call(Buffer, value, encoding as 'utf8');

/** `require('buffer')`. */
export const bufferModule = {
  ...buffer,
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
