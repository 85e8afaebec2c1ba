import { randomBytes, randomUUID } from 'node:crypto';
import { base58 } from '@scure/base';

/** Bytes of randomness in keys and secrets: 256 bits. */
const SECRET_BYTES = 32;

/** Everything random that the emulator hands out. */
export interface Ids {
  uuid(): string;
  bytes(length: number): Buffer;
  /** An API key: `key_` and base58. */
  apiKey(): string;
  /** A secret under a prefix of its own, so that a scanner can tell what leaked. */
  secret(prefix: string): string;
}

export function createIds(): Ids {
  const secret = (prefix: string) => `${prefix}_${base58.encode(randomBytes(SECRET_BYTES))}`;
  return { uuid: randomUUID, bytes: randomBytes, apiKey: () => secret('key'), secret };
}
