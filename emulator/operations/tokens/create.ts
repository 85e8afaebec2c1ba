import type { Token } from '../../../src/contract/schemas/index.js';
import type { TokenRecord } from '../../store/records.js';
import type { Call } from '../call.js';
import type { Context } from '../context.js';
import type { Handler } from '../handler.js';
import { requirePermissionOnAll } from './container-permissions.js';
import { type InsertResult, insertTokens } from './insert-tokens.js';
import { type NewToken, prepareToken } from './prepare-token.js';
import { recordTokenAccess } from './record-access.js';
import { serializeDuplicate, serializeToken, toTokenObject } from './serialize.js';
import { scheduleExpiry } from './sweep.js';

/** spec, POST /tokens: 201 with the new token, 200 with the existing one that it duplicates. */
export const create: Handler<'tokens.create'> = async ({ body }, call, context) => {
  const draft = prepareToken(body, call, context);
  const [outcome] = await createTokens([draft], call, context);
  if (outcome === undefined) throw new Error('A draft has an outcome.');
  return { status: outcome.existing ? 200 : 201, body: serializeInserted(outcome, call, context) };
};

/** Checks the permission on the containers of all drafts, then stores all of them or none. */
export async function createTokens(
  drafts: readonly NewToken[],
  call: Call,
  context: Context,
): Promise<InsertResult[]> {
  for (const { record } of drafts) requirePermissionOnAll('token:create', record.containers, call);
  const outcomes = await insertTokens(drafts, call, context);
  for (const { token: draft, existing } of outcomes) if (!existing) scheduleExpiry(draft.record, context);
  return outcomes;
}

/** Rule 2 of the token object: a create response shows masked data, whatever the transform of the caller. */
export function serializeInserted(
  { token: draft, existing }: InsertResult,
  call: Call,
  context: Context,
): Token {
  return existing
    ? serializeExisting(existing, call, context)
    : toTokenObject(draft.record, draft.masked, call);
}

function serializeExisting(existing: TokenRecord, call: Call, context: Context): Token {
  if (call.access.transform('token:read', existing.containers) === undefined)
    return serializeDuplicate(existing, call);
  recordTokenAccess('read', [existing], call, context);
  return serializeToken(existing, 'mask', context.clock.now(), call);
}
