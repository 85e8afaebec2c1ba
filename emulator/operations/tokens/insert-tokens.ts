import { problem } from '../../problems/problem.js';
import { audit } from '../../services/audit-log.js';
import type { Condition } from '../../store/condition.js';
import { ConflictError } from '../../store/errors.js';
import type { TokenRecord } from '../../store/records.js';
import type { Change, Insert } from '../../store/store.js';
import type { Call } from '../call.js';
import type { Context } from '../context.js';
import { requireTenant } from '../require-tenant.js';
import { removeExpired } from './deletion-changes.js';
import type { Draft } from './draft.js';
import { unexpired } from './lifetime.js';
import { resolveIds } from './resolve-ids.js';

/** What became of a draft: a new token, or the one that it duplicates. */
export interface InsertOutcome {
  readonly draft: Draft;
  readonly existing?: TokenRecord;
}

/** A commit is tried again when another request took an id or stored an equal token in between. */
const MAX_TRIES = 20;

/**
 * Stores all drafts or none; those that duplicate a live token, or one another, are not stored.
 * @throws ProblemError 409 when a literal id is taken, which is looked at before duplicates
 */
export async function insertTokens(
  drafts: readonly Draft[],
  call: Call,
  context: Context,
): Promise<InsertOutcome[]> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { settled, expired } = await resolveIds(drafts, call, context);
    const outcomes = await withDuplicates(settled, call, context);
    const changes = [
      requireTenant(call),
      ...(await removeExpired(expired, context)),
      ...outcomes.flatMap((outcome) => (outcome.existing ? [] : insertion(outcome.draft, call, context))),
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

async function withDuplicates(
  drafts: readonly Draft[],
  call: Call,
  context: Context,
): Promise<InsertOutcome[]> {
  const firsts = new Map<string, TokenRecord>();
  const outcomes: InsertOutcome[] = [];
  for (const draft of drafts) {
    const { fingerprint } = draft.record;
    if (fingerprint === undefined) {
      outcomes.push({ draft });
      continue;
    }
    const existing = draft.deduplicate
      ? (firsts.get(fingerprint) ?? (await liveDuplicate(fingerprint, call, context)))
      : undefined;
    outcomes.push(existing === undefined ? { draft } : { draft, existing });
    firsts.set(fingerprint, existing ?? draft.record);
  }
  return outcomes;
}

async function liveDuplicate(
  fingerprint: string,
  call: Call,
  { store, clock }: Context,
): Promise<TokenRecord | undefined> {
  const where = duplicates(fingerprint, clock.now());
  const { records } = await store.find('tokens', { tenantId: call.tenant.id, where, limit: 1 });
  return records[0];
}

/** Live tokens of the same content. The fingerprint differs between types and tenants by itself. */
export function duplicates(fingerprint: string, now: number): Condition<'tokens'> {
  return { all: [{ term: 'fingerprint', is: fingerprint }, unexpired(now)] };
}

function insertion({ record, deduplicate }: Draft, call: Call, context: Context): Change[] {
  const insert: Insert<'tokens'> = { insert: 'tokens', record };
  if (deduplicate && record.fingerprint !== undefined)
    insert.unless = duplicates(record.fingerprint, context.clock.now());
  return [insert, audit(call, { entity: 'token', operation: 'create', id: record.id }, context)];
}
