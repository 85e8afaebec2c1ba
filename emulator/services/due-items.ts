import type { DueItem } from '../../src/contract/control/clock.js';
import type { TenantClocks } from '../lib/tenant-clocks.js';
import { formatTimestamp } from '../lib/timestamps.js';
import type { OrderedTerms } from '../store/condition.js';
import type { TokenIntentRecord, TokenRecord } from '../store/records.js';
import type { Store } from '../store/store.js';
import { pendingDeliveries } from './webhooks/pending-deliveries.js';

const MAX_ITEMS = 100;
/** Tokens and token intents that expire within it are not told apart. Milliseconds. */
const PRECISION_MS = 1_000;
/** The end of the times of a token. */
const LATEST = Date.UTC(9999, 0);

type DueServices = { store: Store; clocks: TenantClocks };

/** Lists what happens when the clock of a tenant goes on, or the clock that all others share; the next first. */
export async function nextDueItems(services: DueServices, tenantId: string | undefined): Promise<DueItem[]> {
  const { store, clocks } = services;
  const now = (tenantId === undefined ? clocks.global : clocks.of(tenantId)).now();
  const found = await Promise.all([
    dueRecords('tokens', 'expires_at', 'token', store, tenantId, now),
    dueRecords('tokens', 'cvc_expires_at', 'cvc', store, tenantId, now),
    dueRecords('token-intents', 'expires_at', 'token_intent', store, tenantId, now),
    dueKeys(store, tenantId, now),
    dueDeliveries(services, tenantId),
  ]);
  return found
    .flat()
    .filter(({ tenant_id }) => tenantId !== undefined || !clocks.has(tenant_id))
    .sort((one, other) => (one.at < other.at ? -1 : 1))
    .slice(0, MAX_ITEMS);
}

async function dueRecords<N extends 'tokens' | 'token-intents'>(
  collection: N,
  term: Exclude<OrderedTerms[N], 'created_at' | 'modified_at'>,
  kind: DueItem['kind'],
  store: Store,
  tenantId: string | undefined,
  now: number,
): Promise<DueItem[]> {
  const recordsUntil = (lte: number) =>
    store.find(collection, { tenantId, where: { range: term, gt: now, lte }, limit: MAX_ITEMS });
  // The store does not order by time: the time up to which there are not too many is halved until it is found.
  let [earliest, until] = [now, LATEST];
  let found = await recordsUntil(until);
  while (found.total > MAX_ITEMS && until - earliest > PRECISION_MS) {
    const middle = Math.floor((earliest + until) / 2);
    const fewer = await recordsUntil(middle);
    if (fewer.total === 0) earliest = middle;
    else [until, found] = [middle, fewer];
  }
  return found.records.map((record: TokenRecord | TokenIntentRecord) => ({
    at: formatTimestamp(Date.parse((record as TokenRecord)[term] ?? '')),
    ...{ kind, tenant_id: record.tenant_id, id: record.id },
  }));
}

async function dueKeys(store: Store, tenantId: string | undefined, now: number): Promise<DueItem[]> {
  const { records } = await store.find('applications', { tenantId });
  return records.flatMap(({ tenant_id, keys = [] }) =>
    keys.flatMap(({ id, expires_at }): DueItem[] => {
      if (expires_at === undefined || Date.parse(expires_at) <= now) return [];
      return [{ at: formatTimestamp(Date.parse(expires_at)), kind: 'application_key', tenant_id, id }];
    }),
  );
}

async function dueDeliveries(services: DueServices, tenantId: string | undefined): Promise<DueItem[]> {
  const pending = await pendingDeliveries(services, tenantId);
  return pending.map(({ request_id: id, kind, tenant_id, next_attempt_at: at, event_type }) => ({
    ...{ at, kind, tenant_id, id },
    ...(event_type !== undefined && { event_type }),
  }));
}
