import { findFoldable, foldEntries } from '../../services/activity.js';
import type { Condition, OrderedTerms } from '../../store/condition.js';
import { ConflictError, ignoreConflict, ignoreUnavailable } from '../../store/errors.js';
import type { Records, Stored } from '../../store/records.js';
import type { Change } from '../../store/store.js';
import { intentExpirations } from './convert-token-intent.js';
import { expirationChanges, type TokenServices } from './delete.js';

/** Interval of the sweep. The specification allows an hour between expiry and removal. */
const SWEEP_INTERVAL_MS = 60_000;
const BATCH = 200;
/** How long an encryption key is kept after it has expired, so that requests with it say so. */
const KEYS_KEPT_MS = 86_400_000;

/** Removes what has expired, once a minute and whenever a clock is moved. */
export async function startSweep(services: TokenServices): Promise<void> {
  services.clocks.each((clock, tenantId) => {
    clock.every(SWEEP_INTERVAL_MS, () => sweep(services, tenantId).catch(ignoreUnavailable));
  });
  await sweep(services, undefined);
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
