import { randomBytes, randomFillSync } from 'node:crypto';
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
  return { uuid: createUuids(), bytes: randomBytes, apiKey: () => secret('key'), secret };
}

/** UUIDs whose random bytes are drawn at a time. */
const DRAWN = 256;
const UUID_BYTES = 16;

/**
 * UUIDs of version 4 (RFC 9562). A request takes three; what `randomUUID` gives is a chain of twenty pieces, which have to
 * be joined wherever it is written, looked up or compared.
 */
function createUuids(): () => string {
  const random = Buffer.alloc(UUID_BYTES * DRAWN);
  const text = Buffer.alloc(36, '-');
  let next = random.length;
  return () => {
    if (next === random.length) {
      randomFillSync(random);
      next = 0;
    }
    let at = 0;
    for (let i = 0; i < UUID_BYTES; i += 1) {
      let byte = random[next + i] as number;
      if (i === 6) byte = (byte & 0x0f) | 0x40;
      if (i === 8) byte = (byte & 0x3f) | 0x80;
      if (i === 4 || i === 6 || i === 8 || i === 10) at += 1;
      text[at] = DIGITS.charCodeAt(byte >>> 4);
      text[at + 1] = DIGITS.charCodeAt(byte & 15);
      at += 2;
    }
    next += UUID_BYTES;
    return text.toString('latin1');
  };
}

const DIGITS = '0123456789abcdef';
