import type { Permission } from '../../../src/contract/permissions.js';
import type { AnyToken } from '../../../src/contract/schemas/index.js';
import { RequestBudget } from '../../expressions/index.js';
import { andThen, type MaybePromise } from '../../lib/maybe-promise.js';
import { problem } from '../../problems/problem.js';
import { audit } from '../../services/audit-log.js';
import type { Condition } from '../../store/condition.js';
import { ConflictError } from '../../store/errors.js';
import type { Stored, TokenRecord } from '../../store/records.js';
import type { Change, Insert } from '../../store/store.js';
import { findResponseTransform, requirePermissionOnAll } from '../authorize.js';
import type { Call, Context, Handler } from '../context.js';
import { unexpiredCondition } from '../token-expiry.js';
import { intentGone, intentRemovals } from './convert-token-intent.js';
import { expirationChanges, type TokenServices } from './delete.js';
import { type NewToken, prepareToken } from './prepare-token.js';
import { recordTokenAccess } from './record-access.js';
import { serializeDuplicate, serializeToken, toTokenObject } from './serialize.js';
import { resolveIds } from './token-ids.js';

/** POST /tokens. 201 with the new token, or 200 with the existing token that it duplicates. */
export const create: Handler<'tokens.create'> = async ({ body }, call, context) => {
  const budget = new RequestBudget(context.clock.now(), call.tenant.id);
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
  permission: Permission = 'token:create',
): Promise<InsertResult[]> {
  for (const { record } of tokens)
    requirePermissionOnAll(permission, { containers: record.containers }, call);
  return insertTokens(tokens, call, services);
}

/** Serializes a result. A create response shows masked data, whatever the transform (service-api.md, token rule 2). */
export function serializeInserted(
  { token, existing }: InsertResult,
  call: Call,
  services: TokenServices & Pick<Context, 'options'>,
  budget: RequestBudget,
): MaybePromise<AnyToken> {
  const shown = existing
    ? serializeExisting(existing, call, services, budget)
    : toTokenObject(token.record, token.masked, call);
  if (!services.options.lenient) return shown;
  const deduplicated = existing !== undefined;
  const _extras = { deduplicated, ...(deduplicated && { deduplication_behavior: behaviorOf(call) }) };
  return andThen(shown, (object) => Object.assign(object, { _extras }));
}

const behaviorOf = ({ tenant }: Call) => tenant.settings.token_deduplication_behavior ?? 'read_existing';

function serializeExisting(
  existing: TokenRecord,
  call: Call,
  services: TokenServices,
  budget: RequestBudget,
): MaybePromise<AnyToken> {
  if (findResponseTransform(existing, call) === undefined) return serializeDuplicate(existing, call);
  recordTokenAccess('read', [existing], 'mask', call, services);
  return serializeToken(existing, 'mask', budget, call);
}

interface InsertResult {
  readonly token: NewToken;
  readonly existing?: TokenRecord | Stored<TokenRecord>;
}

/** Commits are retried when another request took an id or stored an equal token in between. */
const MAX_ATTEMPTS = 20;

/** Inserts all tokens, except duplicates, or none. @throws ProblemError 409 when a literal id is taken, before duplicates */
async function insertTokens(tokens: readonly NewToken[], call: Call, services: TokenServices) {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { tokens: resolved, expired } = await resolveIds(tokens, call, services);
    const found = await findDuplicates(resolved, call, services);
    const results = behaviorOf(call) === 'update_existing' ? found.map(updated) : found;
    const changes: Change[] = [{ require: 'tenants', tenantId: call.tenant.id }];
    if (expired.length > 0) changes.push(...(await expirationChanges(expired, services)));
    changes.push(...(await conversionChanges(tokens, call, services)));
    for (const { token, existing } of results)
      if (!existing) changes.push(...insertChanges(token, call, services));
      else if (behaviorOf(call) === 'update_existing' && 'revision' in existing)
        changes.push({ replace: 'tokens', record: existing }, updateEntry(existing, call, services));
    try {
      await services.store.commit(changes);
      return results;
    } catch (error) {
      if (!(error instanceof ConflictError) || error.collection === 'tenants') throw error;
      if (error.collection === 'token-intents') throw intentGone();
    }
  }
  throw problem('unavailable', 'Too many concurrent requests create equal tokens. Try again.');
}

/** Puts what a request says of a token in the place of what the stored token that it duplicates says. */
function updated(result: InsertResult): InsertResult {
  const { token, existing } = result;
  if (!existing || !('revision' in existing)) return result;
  const { id, created_by, created_at, creation_order, containers, revision } = existing;
  const kept = { id, created_by, created_at, creation_order, containers, revision };
  const { created_by: modified_by, created_at: modified_at } = token.record;
  const record = { ...token.record, ...kept, modified_by, modified_at } as Stored<TokenRecord>;
  return { token, existing: record };
}

const updateEntry = ({ id }: TokenRecord, call: Call, services: TokenServices) =>
  audit(call, { entity: 'token', operation: 'update', id, transform: 'mask' }, services);

/** Deletes the token intents that become tokens. */
async function conversionChanges(tokens: readonly NewToken[], call: Call, services: TokenServices) {
  const intents = tokens.flatMap(({ intent }) => intent ?? []);
  if (intents.length === 0) return [];
  return [
    ...(await intentRemovals(intents, services)),
    ...intents.map(({ id }) => audit(call, { entity: 'token-intent', operation: 'use', id }, services)),
  ];
}

async function findDuplicates(tokens: readonly NewToken[], call: Call, services: TokenServices) {
  const firsts = new Map<string, TokenRecord>();
  const results: InsertResult[] = [];
  for (const token of tokens) {
    const { fingerprint } = token.record;
    if (fingerprint === undefined) {
      results.push({ token });
      continue;
    }
    const existing = token.deduplicate
      ? ((await findDuplicate(fingerprint, call, services)) ?? firsts.get(fingerprint))
      : undefined;
    results.push(existing === undefined ? { token } : { token, existing });
    if (!firsts.has(fingerprint)) firsts.set(fingerprint, existing ?? token.record);
  }
  return results;
}

/** Copies of one time that are read to find the oldest; one request may create 10,000. */
const MAX_SAME_TIME = 1_000;

/** Finds the live token with a fingerprint; of several, the oldest, which lists return last unless times are equal. */
export async function findDuplicate(
  fingerprint: string,
  { tenant }: Pick<Call, 'tenant'>,
  { store, clock }: Pick<TokenServices, 'store' | 'clock'>,
): Promise<Stored<TokenRecord> | undefined> {
  const query = { tenantId: tenant.id, where: duplicateCondition(fingerprint, clock.now()), limit: 1 };
  const { records, total } = await store.find('tokens', query);
  if (total < 2) return records[0];
  const oldest = (await store.find('tokens', { ...query, offset: total - 1 })).records[0];
  if (!oldest) return records[0];
  const createdAt = Date.parse(oldest.created_at);
  const where = { all: [query.where, { range: 'created_at' as const, lte: createdAt }] };
  const sameTime = await store.find('tokens', { ...query, where, limit: MAX_SAME_TIME });
  return sameTime.records.reduce(
    (first, record) => ((record.creation_order ?? 0) < (first.creation_order ?? 0) ? record : first),
    oldest,
  );
}

/** Matches live tokens with the fingerprint, which differs between types and tenants. */
export function duplicateCondition(fingerprint: string, now: number): Condition<'tokens'> {
  return { all: [{ term: 'fingerprint', is: fingerprint }, unexpiredCondition(now)] };
}

function insertChanges({ record, deduplicate }: NewToken, call: Call, services: TokenServices): Change[] {
  const insert: Insert<'tokens'> = { insert: 'tokens', record };
  if (deduplicate && record.fingerprint !== undefined)
    insert.unless = duplicateCondition(record.fingerprint, services.clock.now());
  return [
    insert,
    audit(call, { entity: 'token', operation: 'create', id: record.id, transform: 'mask' }, services),
  ];
}
