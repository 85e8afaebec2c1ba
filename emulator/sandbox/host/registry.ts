import type { Json } from '../outcome.js';
import { VisibleError } from '../visible-error.js';
import { CRYPTO } from './crypto.js';
import { INTL } from './intl.js';
import { TEXT } from './text.js';
import { URLS } from './url.js';

/**
 * Answers of the host that need no waiting: JSON and bytes in, JSON or bytes out.
 * @throws VisibleError for what the code did wrong.
 */
export type Operation = (input: Json, bytes?: Uint8Array) => Json | Uint8Array;

const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  Object.entries({ ...CRYPTO, ...INTL, ...TEXT, ...URLS }),
);

export function hostOperation(name: string, input: Json, bytes: Uint8Array | undefined): Json | Uint8Array {
  const operation = OPERATIONS.get(name);
  if (!operation) throw new VisibleError('No such operation.');
  return operation(input, bytes);
}
