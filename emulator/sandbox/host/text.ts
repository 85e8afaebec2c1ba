import querystring from 'node:querystring';
import { TextDecoder } from 'node:util';
import type { Json } from '../../../src/contract/json.js';
import { VisibleError } from '../visible-error.js';
import type { HostFunction } from './registry.js';

const decode: HostFunction = (input, bytes) => {
  const { encoding, fatal, ignoreBOM } = input as { encoding: string; fatal: boolean; ignoreBOM: boolean };
  try {
    return new TextDecoder(encoding, { fatal, ignoreBOM }).decode(bytes);
  } catch (error) {
    const { name, message, code } = error as NodeJS.ErrnoException;
    throw new VisibleError(message, name, code);
  }
};

/**
 * `Buffer` in bulk: a loop over bytes is slow in the engine. The code can make its own JSON of what crosses over, and of an
 * object with a length `Buffer.from` would make that many bytes, beyond the memory of the instance.
 */
const encodeBuffer: HostFunction = (input) => {
  const { text, encoding } = input as { text: Json; encoding: BufferEncoding };
  return Buffer.from(String(text), encoding);
};

const decodeBuffer: HostFunction = (input, bytes = new Uint8Array()) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(input as BufferEncoding);

/** @throws VisibleError a RangeError for a label that the Encoding standard has not. */
function canonicalEncoding(label: Json): string {
  try {
    return new TextDecoder(String(label)).encoding;
  } catch (error) {
    const { name, message, code } = error as NodeJS.ErrnoException;
    throw new VisibleError(message, name, code);
  }
}

interface Query {
  text: string;
  separator?: string;
  equals?: string;
  maxKeys?: number;
}

export const TEXT_FUNCTIONS: Record<string, HostFunction> = {
  decode,
  encodeBuffer,
  decodeBuffer,
  canonicalEncoding,
  parseQuery: (input) => {
    const { text, separator, equals, maxKeys } = input as unknown as Query;
    return {
      ...querystring.parse(text, separator, equals, maxKeys === undefined ? {} : { maxKeys }),
    } as Json;
  },
};
