import { hash } from 'node:crypto';
import { base58 } from '@scure/base';
import type { TokenType } from '../../../src/contract/index.js';
import { LruCache } from '../../lru.js';

/**
 * The fingerprint of an evaluated expression: equal for equal input within a tenant and type, different across tenants
 * and types (decisions.md, "Fingerprints and deduplication"). Base58, 32 to 44 characters.
 * @param key the tenant's own, base64
 */
export function fingerprintOf(key: string, tenantId: string, type: TokenType, value: string): string {
  const pads = tenantPads.getOrCreate(key, () => padsOf(Buffer.from(key, 'base64')));
  return base58.encode(hmac(pads, Buffer.from(JSON.stringify([tenantId, type, value]))));
}

/** What the two hashes of an HMAC begin with. */
interface Pads {
  inner: Buffer;
  outer: Buffer;
}

/** Of the tenants that are at work. */
const tenantPads = new LruCache<Pads>(100);

const BLOCK_BYTES = 64;

function padsOf(given: Buffer): Pads {
  const key = given.length > BLOCK_BYTES ? hash('sha256', given, 'buffer') : given;
  const inner = Buffer.alloc(BLOCK_BYTES, 0x36);
  const outer = Buffer.alloc(BLOCK_BYTES, 0x5c);
  for (let i = 0; i < key.length; i += 1) {
    inner[i] = (inner[i] as number) ^ (key[i] as number);
    outer[i] = (outer[i] as number) ^ (key[i] as number);
  }
  return { inner, outer };
}

/** HMAC-SHA-256 (RFC 2104), in two hashes of one call each: under load, making an Hmac object takes longer than both. */
function hmac({ inner, outer }: Pads, message: Buffer): Buffer {
  const inside = hash('sha256', Buffer.concat([inner, message]), 'buffer');
  return hash('sha256', Buffer.concat([outer, inside]), 'buffer');
}
