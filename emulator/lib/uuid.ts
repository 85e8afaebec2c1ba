/**
 * Generates UUIDs from a pool of random bytes. Every request takes up to three. `crypto.randomUUID` concatenates its
 * result from twenty strings, which V8 joins again wherever the UUID is serialized, hashed or compared.
 *
 * Goal H2: 0.26 → 0.30. Goal H3: 0.51 → 0.56.
 */
import { randomFillSync } from 'node:crypto';

const POOLED_UUIDS = 256;
const UUID_BYTES = 16;
const HEX_DIGITS = '0123456789abcdef';

/** Creates a generator of UUIDs of version 4 (RFC 9562), in lower case. */
export function createUuidGenerator(): () => string {
  const random = Buffer.alloc(UUID_BYTES * POOLED_UUIDS);
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
      text[at] = HEX_DIGITS.charCodeAt(byte >>> 4);
      text[at + 1] = HEX_DIGITS.charCodeAt(byte & 15);
      at += 2;
    }
    next += UUID_BYTES;
    return text.toString('latin1');
  };
}
