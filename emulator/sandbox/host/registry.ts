import type { Json } from '../../../src/contract/json.js';
import { VisibleError } from '../visible-error.js';
import { CRYPTO_FUNCTIONS } from './crypto.js';
import { INTL_FUNCTIONS } from './intl.js';
import { TEXT_FUNCTIONS } from './text.js';
import { URL_FUNCTIONS } from './url.js';

/**
 * Answers of the host that need no waiting: JSON and bytes in, JSON or bytes out.
 * @throws VisibleError for what the code did wrong.
 */
export type HostFunction = (input: Json, bytes?: Uint8Array) => Json | Uint8Array;

const FUNCTIONS: ReadonlyMap<string, HostFunction> = new Map(
  Object.entries({ ...CRYPTO_FUNCTIONS, ...INTL_FUNCTIONS, ...TEXT_FUNCTIONS, ...URL_FUNCTIONS }),
);

export function callHostFunction(
  name: string,
  input: Json,
  bytes: Uint8Array | undefined,
): Json | Uint8Array {
  const operation = FUNCTIONS.get(name);
  if (!operation) throw new VisibleError('No such operation.');
  return operation(input, bytes);
}
