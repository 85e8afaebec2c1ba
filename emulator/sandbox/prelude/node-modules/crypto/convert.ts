import { createArgumentError, isKey } from '../../bridge/host.js';

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
