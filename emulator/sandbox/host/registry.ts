import type { Json } from '../../../src/contract/json.js';
import { VisibleError } from '../visible-error.js';
import { CRYPTO_FUNCTIONS } from './crypto.js';
import type { HostFunction } from './host-function.js';
import { INTL_FUNCTIONS } from './intl.js';
import { TEXT_FUNCTIONS } from './text.js';
import { URL_FUNCTIONS } from './url.js';

const HOST_FUNCTIONS: ReadonlyMap<string, HostFunction> = new Map(
  Object.entries({ ...CRYPTO_FUNCTIONS, ...INTL_FUNCTIONS, ...TEXT_FUNCTIONS, ...URL_FUNCTIONS }),
);

/** Calls a host function by name. @throws VisibleError if there is none, or if the function throws one */
export function callHostFunction(
  name: string,
  input: Json,
  bytes: Uint8Array | undefined,
): Json | Uint8Array {
  const hostFunction = HOST_FUNCTIONS.get(name);
  if (!hostFunction) throw new VisibleError('The host has no such function.');
  return hostFunction(input, bytes);
}
