import { createHmac } from 'node:crypto';
import { base58 } from '@scure/base';
import type { TokenType } from '../../../src/contract/token-types.js';

/**
 * Computes the fingerprint of a token: an HMAC-SHA-256 over tenant, type and the evaluated fingerprint expression,
 * equal for equal input within a tenant and type (decisions.md, "Fingerprints and deduplication").
 * @param key the tenant's own, base64
 * @returns base58, 32 to 44 characters
 */
export function computeFingerprint(key: string, tenantId: string, type: TokenType, value: string): string {
  const hmac = createHmac('sha256', Buffer.from(key, 'base64'));
  return base58.encode(hmac.update(JSON.stringify([tenantId, type, value])).digest());
}
