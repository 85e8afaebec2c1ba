import type { Transform } from '../../../src/contract/permissions.js';
import type { Token } from '../../../src/contract/schemas/index.js';
import { transformed } from '../../access/transform.js';
import { ExpressionError } from '../../expressions/index.js';
import type { Call } from '../../handler.js';
import type { TokenRecord } from '../../store/records.js';
import { maskData } from './evaluation.js';
import { current } from './lifetime.js';

/**
 * The token as the API shows it under a transform; decisions.md, "Containers and access controls".
 * @param now the emulator's time: what has expired is gone, and masks may hold dates
 */
export function viewToken(
  record: TokenRecord,
  transform: Transform,
  now: number,
  call: Pick<Call, 'shown'>,
): Token {
  const token = current(record, now);
  const mask = (mask: unknown, data: unknown) => safeMask(mask, data, now);
  return tokenObject(token, transformed(token, transform, mask), call);
}

/** What the API shows of a record, in this order. */
const SHOWN = [
  'id',
  'tenant_id',
  'type',
  'data',
  'mask',
  'fingerprint',
  'containers',
  'metadata',
  'search_indexes',
  'fingerprint_expression',
  'expires_at',
  'created_by',
  'created_at',
  'modified_by',
  'modified_at',
] as const satisfies (keyof Token & keyof TokenRecord)[];

/** The token object with these data; undefined leaves `data` out. */
export function tokenObject(record: TokenRecord, data: unknown, call: Pick<Call, 'shown'>): Token {
  call.shown?.add(record.id);
  const token: Partial<Record<keyof Token, unknown>> = {};
  for (const name of SHOWN) {
    const value = name === 'data' ? data : record[name];
    if (value !== undefined) token[name] = value;
  }
  return token as Token;
}

/** What a duplicate's creator sees of the original without permission to read it. */
export function viewDuplicate(record: TokenRecord, call: Pick<Call, 'shown'>): Token {
  call.shown?.add(record.id);
  const { id, tenant_id, type, fingerprint, containers } = record;
  return { id, tenant_id, type, ...(fingerprint !== undefined && { fingerprint }), containers };
}

/** spec, PATCH /tokens/{id}: what an update that makes a duplicate shows of the original without permission to read it. */
export function viewRedacted(record: TokenRecord, call: Pick<Call, 'shown'>): Token {
  const { mask: _m, metadata: _d, search_indexes: _s, fingerprint_expression: _f, ...rest } = record;
  return tokenObject(rest, undefined, call);
}

/** A mask held when it was stored. When data went since (a cvc) and it fails now, nothing is shown. */
function safeMask(mask: unknown, data: unknown, now: number): unknown {
  try {
    return maskData(mask, data, now);
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}
