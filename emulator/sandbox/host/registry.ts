import type { Json } from '../../../src/contract/json.js';
import { DEFAULT_HOST_INPUT_LENGTH, HOST_INPUT_LENGTHS, MAX_HOST_INPUT_BYTES } from '../limits.js';
import { VisibleError } from '../outcome.js';
import { CIPHER_FUNCTIONS } from './crypto/ciphers.js';
import { CRYPTO_FUNCTIONS } from './crypto/digest.js';
import { KEY_FUNCTIONS } from './crypto/keys.js';
import { CRYPTO_OPERATIONS } from './crypto/operations.js';
import { INTL_FUNCTIONS } from './intl.js';
import type { HostFunction } from './services.js';
import { TEXT_FUNCTIONS } from './text.js';
import { URL_FUNCTIONS } from './url.js';
import { ZLIB_FUNCTIONS } from './zlib.js';

const HOST_FUNCTIONS: ReadonlyMap<string, HostFunction> = new Map(
  Object.entries({
    ...CIPHER_FUNCTIONS,
    ...CRYPTO_FUNCTIONS,
    ...CRYPTO_OPERATIONS,
    ...KEY_FUNCTIONS,
    ...INTL_FUNCTIONS,
    ...TEXT_FUNCTIONS,
    ...URL_FUNCTIONS,
    ...ZLIB_FUNCTIONS,
  }),
);

/**
 * Calls a host function by name. The sizes of its input are checked before it is parsed, because nothing can stop a native
 * function.
 * @param json the input as JSON
 * @throws VisibleError if there is no such function, if its input is too long, or if it throws one
 */
export function callHostFunction(
  name: string,
  json: string,
  bytes: Uint8Array | undefined,
): Json | Uint8Array {
  const hostFunction = HOST_FUNCTIONS.get(name);
  if (!hostFunction) throw new VisibleError('The host has no such function.');
  const maxLength = HOST_INPUT_LENGTHS[name] ?? DEFAULT_HOST_INPUT_LENGTH;
  if (json.length > maxLength)
    throw new VisibleError(`The input is longer than ${maxLength} characters.`, 'RangeError');
  if ((bytes?.byteLength ?? 0) > MAX_HOST_INPUT_BYTES)
    throw new VisibleError(`The input is longer than ${MAX_HOST_INPUT_BYTES} bytes.`, 'RangeError');
  return hostFunction(JSON.parse(json) as Json, bytes);
}
