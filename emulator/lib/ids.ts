import { randomBytes, randomUUID } from 'node:crypto';
import { base58 } from '@scure/base';

/** Length of the random part of keys and secrets: 256 bits. */
const SECRET_BYTES = 32;

/** Generates ids, API keys and secrets. */
export interface Ids {
  /** UUID of version 4 (RFC 9562), in lower case. */
  uuid(): string;
  bytes(length: number): Buffer;
  /** An API key: `key_` and base58. */
  apiKey(): string;
  /** A secret with a prefix, by which secret scanners recognize it. */
  secret(prefix: string, length?: number): string;
}

export function createIds(): Ids {
  const secret = (prefix: string, length = SECRET_BYTES) => `${prefix}_${base58.encode(randomBytes(length))}`;
  return { uuid: () => randomUUID(), bytes: randomBytes, apiKey: () => secret('key'), secret };
}

let lastInOrder = 0;

/** Returns a number above every earlier one, also after a restart: microseconds of the machine's clock. */
export function nextInOrder(): number {
  lastInOrder = Math.max(lastInOrder + 1, Date.now() * 1_000);
  return lastInOrder;
}
