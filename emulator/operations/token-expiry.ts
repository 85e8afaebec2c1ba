import type { Condition } from '../store/condition.js';
import type { TokenRecord } from '../store/records.js';

/** Matches tokens that have not expired. To callers, an expired token does not exist. */
export function unexpiredCondition(now: number): Condition<'tokens'> {
  return { not: { range: 'expires_at', lte: now } };
}

/** Whether a token has expired. @param now the emulator's time, in milliseconds since 1970 */
export function isExpired({ expires_at }: Pick<TokenRecord, 'expires_at'>, now: number): boolean {
  return expires_at !== undefined && Date.parse(expires_at) <= now;
}
