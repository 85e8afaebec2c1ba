import { createHmac } from 'node:crypto';
import { base58 } from '@scure/base';
import type { TokenType } from '../../../src/contract/index.js';

/**
 * The fingerprint of an evaluated expression: equal for equal input within a tenant and type, different across tenants
 * and types (decisions.md, "Fingerprints and deduplication"). Base58, 32 to 44 characters.
 * @param key the tenant's own, base64
 */
export function fingerprintOf(key: string, tenantId: string, type: TokenType, value: string): string {
  const input = JSON.stringify([tenantId, type, value]);
  return base58.encode(createHmac('sha256', Buffer.from(key, 'base64')).update(input, 'utf8').digest());
}
