import { findFoldable, foldEntries } from '../../services/activity.js';
import type { Condition, OrderedTerms } from '../../store/condition.js';
import { ConflictError, ignoreConflict, ignoreUnavailable } from '../../store/errors.js';
import type { Records, Stored, TokenRecord } from '../../store/records.js';
import type { Change } from '../../store/store.js';
import { intentExpirations } from './convert-token-intent.js';
import { expirationChanges, type TokenServices } from './delete.js';

/** Interval of the sweep. The specification allows an hour between expiry and removal. */
const SWEEP_INTERVAL_MS = 60_000;
const BATCH = 200;
/** How long an encryption key is kept after it has expired, so that requests with it say so. */
const KEYS_KEPT_MS = 86_400_000;

/** Removes what has expired once a minute, and at its time, so that moving the clock forward removes it immediately. */
export async function startSweep(services: TokenServices): Promise<void> {
  const run = async (tenantId: string | undefined) => {
    await sweep(services, tenantId);
    await scheduleNext(services, tenantId);
  };
  services.clocks.each((clock, tenantId) => {
    clock.every(SWEEP_INTERVAL_MS, () => run(tenantId).catch(ignoreUnavailable));
    // A tenant gets its clock in order to move it: what expires before the next sweep must be scheduled on that clock.
    if (tenantId !== undefined) clock.at(clock.now(), () => run(tenantId).catch(ignoreUnavailable));
  });
  await run(undefined);
}

export function scheduleExpiry(token: TokenRecord, services: TokenServices): void {
  const nextSweep = services.clock.now() + SWEEP_INTERVAL_MS;
  for (const time of timesOf(token))
    if (time <= nextSweep)
      services.clock.at(time, () => sweep(services, token.tenant_id).catch(ignoreUnavailable));
}

/** Removes the expired tokens and cvcs of a tenant, or those of all tenants that have the global clock. */
async function sweep(shared: TokenServices, tenantId: string | undefined): Promise<void> {
  const { clocks } = shared;
  const services = { ...shared, clock: tenantId === undefined ? clocks.global : clocks.of(tenantId) };
  await sweepInBatches('tokens', 'expires_at', tenantId, services, expirationChanges);
  await sweepInBatches('tokens', 'cvc_expires_at', tenantId, services, cvcChanges);
  await sweepInBatches('token-intents', 'expires_at', tenantId, services, intentExpirations);
  await sweepInBatches('sessions', 'expires_at', tenantId, services, removalsOf('sessions'));
  await sweepInBatches('keys', 'expires_at', tenantId, services, removalsOf('keys'), KEYS_KEPT_MS);
  await foldActivity(tenantId, services);
}

/** Folds what is left of deleted tokens and of past months: that of a tenant, or of all that have the global clock. */
async function foldActivity(tenantId: string | undefined, services: TokenServices): Promise<void> {
  if (tenantId !== undefined) return foldActivityOf(tenantId, services);
  const { records } = await services.store.find('tenants', {});
  // Terms are searched within a tenant.
  for (const { id } of records) if (!services.clocks.has(id)) await foldActivityOf(id, services);
}

async function foldActivityOf(tenantId: string, { store, clock }: TokenServices): Promise<void> {
  for (;;) {
    const found = await findFoldable(store, tenantId, clock.now(), BATCH);
    await foldEntries(store, found).catch(ignoreConflict);
    if (found.length < BATCH) return;
  }
}

/** Creates what removes records that no answer has shown since they expired. */
const removalsOf =
  <N extends 'sessions' | 'keys'>(collection: N): CreateChanges<N> =>
  async (records) =>
    records.map(({ tenant_id: tenantId, id, revision }) => ({ remove: collection, tenantId, id, revision }));

/** Loads the expressions of search indexes when the first cvc has expired, not at the start (goal S3). */
const cvcChanges: CreateChanges<'tokens'> = async (tokens, services) => {
  const { purgeCvcs } = await import('./lifetime.js');
  return purgeCvcs(tokens, services);
};

type Expiring = 'tokens' | 'token-intents' | 'sessions' | 'keys';

type CreateChanges<N extends Expiring> = (
  records: Stored<Records[N]>[],
  services: TokenServices,
) => Promise<Change[]>;

async function sweepInBatches<N extends Expiring>(
  collection: N,
  term: Exclude<OrderedTerms[N], 'created_at' | 'modified_at'>,
  tenantId: string | undefined,
  services: TokenServices,
  changes: CreateChanges<N>,
  keptMs = 0,
): Promise<void> {
  const where: Condition<N> = { range: term, lte: services.clock.now() - keptMs };
  /** Tokens that stay, because the clock of their tenant says so. */
  let offset = 0;
  for (;;) {
    const scope = tenantId === undefined ? { offset } : { tenantId };
    const { records } = await services.store.find(collection, { ...scope, where, limit: BATCH });
    const expired = records.filter((one) => tenantId !== undefined || !services.clocks.has(one.tenant_id));
    offset += records.length - expired.length;
    const done = expired.length === 0 ? 0 : await commitBatch(expired, services, changes);
    if (records.length < BATCH || done < expired.length) return;
  }
}

/** Commits a batch, or each by itself after a conflict: the others stay for the next sweep. @returns their number */
async function commitBatch<N extends Expiring>(
  records: Stored<Records[N]>[],
  services: TokenServices,
  changes: CreateChanges<N>,
): Promise<number> {
  const commit = async (some: Stored<Records[N]>[]): Promise<number> => {
    try {
      await services.store.commit(await changes(some, services));
      return some.length;
    } catch (error) {
      if (error instanceof ConflictError) return 0;
      throw error;
    }
  };
  let done = await commit(records);
  if (done === 0) for (const record of records) done += await commit([record]);
  return done;
}

/** Schedules a sweep for what is due before the next regular one. */
async function scheduleNext({ clocks, ...services }: TokenServices, tenantId: string | undefined) {
  const clock = tenantId === undefined ? clocks.global : clocks.of(tenantId);
  const now = clock.now();
  const soon = { gt: now, lte: now + SWEEP_INTERVAL_MS };
  const scope = { ...(tenantId !== undefined && { tenantId }), limit: BATCH };
  const expiring = { range: 'expires_at', ...soon } as const;
  const [tokens, intents] = await Promise.all([
    services.store.find('tokens', {
      ...scope,
      where: { any: [expiring, { range: 'cvc_expires_at', ...soon }] },
    }),
    services.store.find('token-intents', { ...scope, where: expiring }),
  ]);
  const times = [...tokens.records, ...intents.records]
    .flatMap(timesOf)
    .filter((time) => time > soon.gt && time <= soon.lte);
  for (const time of new Set(times))
    clock.at(time, () => sweep({ ...services, clocks }, tenantId).catch(ignoreUnavailable));
}

/** Lists when something of a token or token intent is due, in milliseconds since 1970. */
function timesOf({ expires_at, cvc_expires_at }: Pick<TokenRecord, 'expires_at' | 'cvc_expires_at'>) {
  return [expires_at, cvc_expires_at].flatMap((text) => (text === undefined ? [] : [Date.parse(text)]));
}
