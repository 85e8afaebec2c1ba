import type { Token } from '../../../src/contract/schemas/index.js';
import type { TokenRecord } from '../../store/records.js';
import type { Call } from '../call.js';
import type { Handler } from '../handler.js';
import { requirePermissionOnAll } from './container-permissions.js';
import type { DeletionServices } from './deletion-changes.js';
import { type InsertResult, insertTokens } from './insert-tokens.js';
import { type NewToken, prepareToken } from './prepare-token.js';
import { recordTokenAccess } from './record-access.js';
import { serializeDuplicate, serializeToken, toTokenObject } from './serialize.js';
import { scheduleExpiry } from './sweep.js';

/** POST /tokens. 201 with the new token, or 200 with the existing token that it duplicates. */
export const create: Handler<'tokens.create'> = async ({ body }, call, context) => {
  const draft = prepareToken(body, call, context);
  const [outcome] = await createTokens([draft], call, context);
  if (outcome === undefined) throw new Error('A draft has an outcome.');
  return { status: outcome.existing ? 200 : 201, body: serializeInserted(outcome, call, context) };
};

/** Checks the permission on the containers of all tokens, then inserts all of them or none. */
export async function createTokens(
  drafts: readonly NewToken[],
  call: Call,
  services: DeletionServices,
): Promise<InsertResult[]> {
  for (const { record } of drafts) requirePermissionOnAll('token:create', record.containers, call);
  const outcomes = await insertTokens(drafts, call, services);
  for (const { token: draft, existing } of outcomes) if (!existing) scheduleExpiry(draft.record, services);
  return outcomes;
}

/** Serializes a result. A create response shows masked data, whatever the transform (service-api.md, token rule 2). */
export function serializeInserted(
  { token: draft, existing }: InsertResult,
  call: Call,
  services: DeletionServices,
): Token {
  return existing
    ? serializeExisting(existing, call, services)
    : toTokenObject(draft.record, draft.masked, call);
}

function serializeExisting(existing: TokenRecord, call: Call, services: DeletionServices): Token {
  if (call.access.transform('token:read', existing.containers) === undefined)
    return serializeDuplicate(existing, call);
  recordTokenAccess('read', [existing], call, services);
  return serializeToken(existing, 'mask', services.clock.now(), call);
}
