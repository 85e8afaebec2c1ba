import { problem } from '../../problems/problem.js';
import { audit } from '../../services/audit-log.js';
import type { Condition } from '../../store/condition.js';
import { ConflictError } from '../../store/errors.js';
import type { TokenRecord } from '../../store/records.js';
import type { Change, Insert } from '../../store/store.js';
import type { Call } from '../call.js';
import type { Context } from '../context.js';
import { requireTenant } from '../require-tenant.js';
import { expirationChanges } from './deletion-changes.js';
import { unexpiredCondition } from './lifetime.js';
import type { NewToken } from './prepare-token.js';
import { resolveIds } from './resolve-ids.js';

/** What became of a draft: a new token, or the one that it duplicates. */
export interface InsertResult {
  readonly token: NewToken;
  readonly existing?: TokenRecord;
}

/** A commit is tried again when another request took an id or stored an equal token in between. */
const MAX_TRIES = 20;

/**
 * Stores all drafts or none; those that duplicate a live token, or one another, are not stored.
 * @throws ProblemError 409 when a literal id is taken, which is looked at before duplicates
 */
export async function insertTokens(
  drafts: readonly NewToken[],
  call: Call,
  context: Context,
): Promise<InsertResult[]> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { tokens: settled, expired } = await resolveIds(drafts, call, context);
    const outcomes = await findDuplicates(settled, call, context);
    const changes = [
      requireTenant(call),
      ...(await expirationChanges(expired, context)),
      ...outcomes.flatMap((outcome) => (outcome.existing ? [] : insertChanges(outcome.token, call, context))),
    ];
    try {
      await context.store.commit(changes);
      return outcomes;
    } catch (error) {
      if (!(error instanceof ConflictError) || error.collection === 'tenants') throw error;
    }
  }
  throw problem('unavailable', 'Too many requests create equal tokens at the same time; try again.');
}

async function findDuplicates(
  drafts: readonly NewToken[],
  call: Call,
  context: Context,
): Promise<InsertResult[]> {
  const firsts = new Map<string, TokenRecord>();
  const outcomes: InsertResult[] = [];
  for (const draft of drafts) {
    const { fingerprint } = draft.record;
    if (fingerprint === undefined) {
      outcomes.push({ token: draft });
      continue;
    }
    const existing = draft.deduplicate
      ? (firsts.get(fingerprint) ?? (await findDuplicate(fingerprint, call, context)))
      : undefined;
    outcomes.push(existing === undefined ? { token: draft } : { token: draft, existing });
    firsts.set(fingerprint, existing ?? draft.record);
  }
  return outcomes;
}

async function findDuplicate(
  fingerprint: string,
  call: Call,
  { store, clock }: Context,
): Promise<TokenRecord | undefined> {
  const where = duplicateCondition(fingerprint, clock.now());
  const { records } = await store.find('tokens', { tenantId: call.tenant.id, where, limit: 1 });
  return records[0];
}

/** Live tokens of the same content. The fingerprint differs between types and tenants by itself. */
export function duplicateCondition(fingerprint: string, now: number): Condition<'tokens'> {
  return { all: [{ term: 'fingerprint', is: fingerprint }, unexpiredCondition(now)] };
}

function insertChanges({ record, deduplicate }: NewToken, call: Call, context: Context): Change[] {
  const insert: Insert<'tokens'> = { insert: 'tokens', record };
  if (deduplicate && record.fingerprint !== undefined)
    insert.unless = duplicateCondition(record.fingerprint, context.clock.now());
  return [insert, audit(call, { entity: 'token', operation: 'create', id: record.id }, context)];
}
