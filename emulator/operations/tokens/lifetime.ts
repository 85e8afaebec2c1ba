import { LIMITS } from '../../../src/contract/limits.js';
import type { Json } from '../../expressions/index.js';
import { formatTimestamp, parseTimestamp } from '../../lib/timestamps.js';
import type { TokenRecord } from '../../store/records.js';
import type { FieldChecks } from './field-checks.js';
import { EXPIRATION_FORMATS, parseExpiration } from './parse-expiration.js';

/** Normalizes `expires_at` of a request; an invalid or past time is added to `checks`. */
export function parseExpirationField(text: string, now: number, checks: FieldChecks): string {
  const parsed = parseExpiration(text);
  if (parsed === undefined) checks.add('expires_at', EXPIRATION_FORMATS);
  else if (parsed.time <= now) checks.add('expires_at', 'must be in the future');
  return parsed?.text ?? text;
}

/**
 * Computes the expiry of a `cvc` that is set now: one hour later (service-api.md, "Card data"). Only a card has one; in
 * data of other types, `cvc` is an ordinary property.
 */
export function cvcExpiry(
  { type, data }: Pick<TokenRecord, 'type' | 'data'>,
  now: number,
): Pick<TokenRecord, 'cvc_expires_at'> {
  return type === 'card' && hasCvc(data)
    ? { cvc_expires_at: formatTimestamp(now + LIMITS.cvcLifetimeMs) }
    : {};
}

/** Leaves out an expired cvc. To callers it does not exist, even before the sweep removes it from the store. */
export function withoutExpiredData<R extends TokenRecord>(record: R, now: number): R {
  const { cvc_expires_at: expiry } = record;
  return expiry === undefined || parseTimestamp(expiry) > now ? record : withoutCvc(record);
}

export function withoutCvc<R extends TokenRecord>(record: R): R {
  const { cvc_expires_at: _expiry, ...rest } = record;
  return { ...rest, data: dataWithoutCvc(record.data) } as R;
}

function dataWithoutCvc(data: unknown): unknown {
  if (!hasCvc(data)) return data;
  const { cvc: _cvc, ...rest } = data;
  return rest;
}

function hasCvc(data: unknown): data is { cvc: Json } {
  return typeof data === 'object' && data !== null && 'cvc' in data;
}
