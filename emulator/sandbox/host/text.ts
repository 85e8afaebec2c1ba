import { TextDecoder } from 'node:util';
import type { Json } from '../../../src/contract/json.js';
import { withVisibleErrors } from '../outcome.js';
import type { HostFunction } from './services.js';

/** Decodes bytes as `TextDecoder` does. */
const decode: HostFunction = (input, bytes) => {
  const { encoding, fatal, ignoreBOM } = input as { encoding: string; fatal: boolean; ignoreBOM: boolean };
  return withVisibleErrors(() => new TextDecoder(encoding, { fatal, ignoreBOM }).decode(bytes));
};

/**
 * Encodes a text as `Buffer.from` does. `String()` is required: reactor code can manipulate the JSON that crosses the boundary,
 * and `Buffer.from({ length: n })` would allocate n bytes in the host.
 */
const encodeBuffer: HostFunction = (input) => {
  const { text, encoding } = input as { text: Json; encoding: BufferEncoding };
  return Buffer.from(String(text), encoding);
};

/** Decodes bytes as `Buffer.prototype.toString` does. */
const decodeBuffer: HostFunction = (input, bytes = new Uint8Array()) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(input as BufferEncoding);

/** Returns the encoding's canonical name. @throws VisibleError a RangeError if the Encoding standard does not define the label */
const canonicalEncoding: HostFunction = (label) =>
  withVisibleErrors(() => new TextDecoder(String(label)).encoding);

export const TEXT_FUNCTIONS: Record<string, HostFunction> = {
  decode,
  encodeBuffer,
  decodeBuffer,
  canonicalEncoding,
};
