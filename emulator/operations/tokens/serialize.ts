import type { Transform } from '../../../src/contract/permissions.js';
import type { AnyToken } from '../../../src/contract/schemas/index.js';
import { BudgetExceededError, ExpressionError, RequestBudget } from '../../expressions/index.js';
import { andThen, type MaybePromise, recover } from '../../lib/maybe-promise.js';
import type { TokenRecord } from '../../store/records.js';
import type { Call } from '../context.js';
import { tokenDetails } from './details.js';
import { maskData } from './evaluate-token.js';
import { withoutExpiredData } from './lifetime.js';
import { maskOnce } from './masked-data-cache.js';

/** Serializes a token under a transform. @param budget of the request @throws BudgetExceededError */
export function serializeToken(
  record: TokenRecord,
  transform: Transform,
  budget: RequestBudget,
  call: Pick<Call, 'tokenIds'>,
): MaybePromise<AnyToken> {
  const token = withoutExpiredData(record, budget.now);
  const data = applyTransform(token, transform, budget);
  return andThen(data, (shown) => toTokenObject(token, shown, call));
}

/** Serializes tokens with masked data, and without data once their masks exceed the budget of a request. */
export async function serializeMasked(records: readonly TokenRecord[], now: number): Promise<AnyToken[]> {
  const budget = new RequestBudget(now);
  const tokens: AnyToken[] = [];
  for (const record of records) {
    const transform = budget.isUsedUp ? 'redact' : 'mask';
    const serialize = () => serializeToken(record, transform, budget, {});
    const token = recover(serialize, (error) => {
      if (error instanceof BudgetExceededError) return serializeToken(record, 'redact', budget, {});
      throw error;
    });
    tokens.push(await token);
  }
  return tokens;
}

/** Builds the token object of a response. @param data undefined leaves it out, and the details of a card or account */
export function toTokenObject(record: TokenRecord, data: unknown, call: Pick<Call, 'tokenIds'>): AnyToken {
  call.tokenIds?.add(record.id);
  const token = { id: record.id, tenant_id: record.tenant_id, type: record.type } as AnyToken;
  if (data !== undefined) {
    token.data = data;
    Object.assign(token, tokenDetails(record));
  }
  if (record.mask !== undefined) token.mask = record.mask;
  if (record.fingerprint !== undefined) token.fingerprint = record.fingerprint;
  token.containers = record.containers;
  if (record.metadata !== undefined) token.metadata = record.metadata;
  if (record.search_indexes !== undefined) token.search_indexes = record.search_indexes;
  if (record.fingerprint_expression !== undefined)
    token.fingerprint_expression = record.fingerprint_expression;
  if (record.expires_at !== undefined) token.expires_at = record.expires_at;
  if (record.created_by !== undefined) token.created_by = record.created_by;
  if (record.created_at !== undefined) token.created_at = record.created_at;
  if (record.modified_by !== undefined) token.modified_by = record.modified_by;
  if (record.modified_at !== undefined) token.modified_at = record.modified_at;
  return token;
}

/** Serializes the existing token for a create request that duplicates it, without the permission to read it. */
export function serializeDuplicate(record: TokenRecord, call: Pick<Call, 'tokenIds'>): AnyToken {
  call.tokenIds?.add(record.id);
  const { id, tenant_id, type, fingerprint, containers } = record;
  return { id, tenant_id, type, ...(fingerprint !== undefined && { fingerprint }), containers };
}

/** Serializes the existing token for an update that duplicates it, without the permission to read it. */
export function serializeRedacted(record: TokenRecord, call: Pick<Call, 'tokenIds'>): AnyToken {
  const { mask: _m, metadata: _d, search_indexes: _s, fingerprint_expression: _f, ...rest } = record;
  return toTokenObject(rest, undefined, call);
}

/** Applies a transform to the data of a token; undefined for `redact`, and for `mask` on a token without a mask. */
function applyTransform(token: TokenRecord, transform: Transform, budget: RequestBudget): unknown {
  if (transform === 'reveal') return token.data;
  if (transform === 'redact' || token.mask === undefined) return undefined;
  return maskOnce(token, () => maskOrOmit(token.mask, token.data, budget));
}

/** Masks data. A valid mask can fail after the cvc was removed from the data; then `data` is left out. */
function maskOrOmit(mask: unknown, data: unknown, budget: RequestBudget): MaybePromise<unknown> {
  return recover<unknown>(
    () => maskData(mask, data, budget),
    (error) => {
      if (error instanceof ExpressionError && !(error instanceof BudgetExceededError)) return undefined;
      throw error;
    },
  );
}
