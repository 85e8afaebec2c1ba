import type { Token } from '../../../src/contract/schemas/index.js';
import type { TokenRecord } from '../../store/records.js';
import type { Call } from '../call.js';
import type { Context } from '../context.js';
import type { Handler } from '../handler.js';
import { createDraft, type Draft } from './draft.js';
import { type InsertOutcome, insertTokens } from './insert-tokens.js';
import { requireOnAll } from './permission.js';
import { recordTokenAccess } from './record-access.js';
import { tokenObject, viewDuplicate, viewToken } from './serialize.js';
import { scheduleDue } from './sweep.js';

/** spec, POST /tokens: 201 with the new token, 200 with the existing one that it duplicates. */
export const create: Handler<'tokens.create'> = async ({ body }, call, context) => {
  const draft = createDraft(body, call, context);
  const [outcome] = await createTokens([draft], call, context);
  if (outcome === undefined) throw new Error('A draft has an outcome.');
  return { status: outcome.existing ? 200 : 201, body: viewOutcome(outcome, call, context) };
};

/** Checks the permission on the containers of all drafts, then stores all of them or none. */
export async function createTokens(
  drafts: readonly Draft[],
  call: Call,
  context: Context,
): Promise<InsertOutcome[]> {
  for (const { record } of drafts) requireOnAll('token:create', record.containers, call);
  const outcomes = await insertTokens(drafts, call, context);
  for (const { draft, existing } of outcomes) if (!existing) scheduleDue(draft.record, context);
  return outcomes;
}

/** Rule 2 of the token object: a create response shows masked data, whatever the transform of the caller. */
export function viewOutcome({ draft, existing }: InsertOutcome, call: Call, context: Context): Token {
  return existing ? viewExisting(existing, call, context) : tokenObject(draft.record, draft.masked, call);
}

function viewExisting(existing: TokenRecord, call: Call, context: Context): Token {
  if (call.access.transform('token:read', existing.containers) === undefined)
    return viewDuplicate(existing, call);
  recordTokenAccess('read', [existing], call, context);
  return viewToken(existing, 'mask', context.clock.now(), call);
}
