import { hash } from 'node:crypto';
import { base58 } from '@scure/base';
import type { TokenType } from '../../../src/contract/index.js';
import { LruCache } from '../../lib/lru.js';

/**
 * The fingerprint of an evaluated expression: equal for equal input within a tenant and type, different across tenants
 * and types (decisions.md, "Fingerprints and deduplication"). Base58, 32 to 44 characters.
 * @param key the tenant's own, base64
 */
export function fingerprintOf(key: string, tenantId: string, type: TokenType, value: string): string {
  const pads = tenantPads.getOrCreate(key, () => padsOf(Buffer.from(key, 'base64')));
  return base58.encode(hmac(pads, JSON.stringify([tenantId, type, value])));
}

/** What the two hashes of an HMAC begin with, and room behind it for what follows. */
interface Pads {
  inner: Buffer;
  outer: Buffer;
}

/** Of the tenants that are at work. */
const tenantPads = new LruCache<Pads>(100);

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
/** Bytes of a message that is put into the room; longer ones get their own. */
const ROOM_BYTES = 1024;
/** Bytes that a character of a text takes at most. */
const BYTES_PER_CHARACTER = 3;

function padsOf(given: Buffer): Pads {
  const key = given.length > BLOCK_BYTES ? hash('sha256', given, 'buffer') : given;
  const inner = Buffer.alloc(BLOCK_BYTES + ROOM_BYTES);
  const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES);
  for (let i = 0; i < BLOCK_BYTES; i += 1) {
    inner[i] = 0x36 ^ (key[i] ?? 0);
    outer[i] = 0x5c ^ (key[i] ?? 0);
  }
  return { inner, outer };
}

/**
 * HMAC-SHA-256 (RFC 2104), in two hashes of one call each: under load, making an Hmac object takes longer than both, and
 * so does new memory for what is hashed.
 */
function hmac({ inner, outer }: Pads, message: string): Buffer {
  outer.write(hash('sha256', padded(inner, message), 'binary'), BLOCK_BYTES, 'binary');
  return hash('sha256', outer, 'buffer');
}

function padded(inner: Buffer, message: string): Buffer {
  if (message.length * BYTES_PER_CHARACTER > ROOM_BYTES)
    return Buffer.concat([inner.subarray(0, BLOCK_BYTES), Buffer.from(message)]);
  return inner.subarray(0, BLOCK_BYTES + inner.write(message, BLOCK_BYTES));
}
