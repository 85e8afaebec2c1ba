import type { Token } from '../../../src/contract/schemas/index.js';
import { RequestBudget } from '../../expressions/index.js';
import type { MaybePromise } from '../../lib/maybe-promise.js';
import type { TokenRecord } from '../../store/records.js';
import { findResponseTransform, requirePermissionOnAll } from '../authorize.js';
import type { Call } from '../call.js';
import type { Handler } from '../context.js';
import type { TokenServices } from './delete.js';
import { type InsertResult, insertTokens } from './insert-tokens.js';
import { type NewToken, prepareToken } from './prepare-token.js';
import { recordTokenAccess } from './record-access.js';
import { serializeDuplicate, serializeToken, toTokenObject } from './serialize.js';
import { scheduleExpiry } from './sweep.js';

/** POST /tokens. 201 with the new token, or 200 with the existing token that it duplicates. */
export const create: Handler<'tokens.create'> = async ({ body }, call, context) => {
  const budget = new RequestBudget(context.clock.now());
  const token = await prepareToken(body, call, context, budget);
  const [result] = await createTokens([token], call, context);
  if (result === undefined) throw new Error('The token was not inserted.');
  return {
    status: result.existing ? 200 : 201,
    body: await serializeInserted(result, call, context, budget),
  };
};

/** Checks the permission on the containers of all tokens, then inserts all of them or none. */
export async function createTokens(
  tokens: readonly NewToken[],
  call: Call,
  services: TokenServices,
): Promise<InsertResult[]> {
  for (const { record } of tokens)
    requirePermissionOnAll('token:create', { containers: record.containers }, call);
  const results = await insertTokens(tokens, call, services);
  for (const { token, existing } of results) if (!existing) scheduleExpiry(token.record, services);
  return results;
}

/** Serializes a result. A create response shows masked data, whatever the transform (service-api.md, token rule 2). */
export function serializeInserted(
  { token, existing }: InsertResult,
  call: Call,
  services: TokenServices,
  budget: RequestBudget,
): MaybePromise<Token> {
  return existing
    ? serializeExisting(existing, call, services, budget)
    : toTokenObject(token.record, token.masked, call);
}

function serializeExisting(
  existing: TokenRecord,
  call: Call,
  services: TokenServices,
  budget: RequestBudget,
): MaybePromise<Token> {
  if (findResponseTransform(existing, call) === undefined) return serializeDuplicate(existing, call);
  recordTokenAccess('read', [existing], 'mask', call, services);
  return serializeToken(existing, 'mask', budget, call);
}
