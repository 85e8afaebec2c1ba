import { LIMITS } from '../../../src/contract/limits.js';
import type { TenantClocks } from '../../lib/tenant-clocks.js';
import { type ProblemError, problem, retryableProblem } from '../../problems/problem.js';
import type { Condition } from '../../store/condition.js';
import { ignoreConflict, ignoreUnavailable } from '../../store/errors.js';
import type { IdempotencyRecord } from '../../store/records.js';
import type { Remove, Store } from '../../store/store.js';
import { IdempotencyMarker } from './marker.js';
import {
  createMark,
  createRecord,
  discardInFlight,
  type IdempotentRequest,
  type InFlightRequest,
  isMark,
  RESULT_METHOD,
  recordId,
  type StoredResponse,
} from './record.js';
import { ResponseCache, StoredResponses } from './stored-responses.js';

/** Interval at which expired responses are deleted, in milliseconds. */
const SWEEP_INTERVAL_MS = 600_000;

/** Time for what a request does before and after its reactor runs, in milliseconds. */
const LEASE_MARGIN_MS = 30_000;

/**
 * Executes a request for the first time. It adds the id of every token that the response shows or holds data of to
 * `tokenIds`, so that the stored response is deleted with the token.
 * @param marker present when other processes share the store: commits go through it
 */
type Attempt = (tokenIds: Set<string>, marker?: IdempotencyMarker) => Promise<StoredResponse>;

/** Idempotency keys; decisions.md, "Headers". */
export interface Idempotency {
  /**
   * Returns the stored response of an earlier request with the same key. Without one, runs the attempt and stores its
   * response; a failed attempt is not stored.
   * @throws ProblemError 409 while another request with the key is in flight
   */
  run(request: IdempotentRequest, attempt: Attempt): Promise<StoredResponse>;
  /** Returns the stored response of a request; undefined while it is in flight, and when there is none. */
  find(request: IdempotentRequest): Promise<StoredResponse | undefined>;
  /**
   * Returns the changes that delete the stored responses which hold data of the tokens. Commit them with the change that
   * deletes the tokens or their access. Responses in memory are deleted at once; responses of in-flight requests will not be stored.
   */
  discardForTokens(tenantId: string, tokenIds: readonly string[]): Promise<Remove[]>;
  /**
   * Returns the changes that delete the stored responses of an application. Commit them with a change of its permissions,
   * rules or key: what it may no longer read must not be repeated.
   */
  discardForApplication(tenantId: string, applicationId: string): Promise<Remove[]>;
  /** Discards the cached and in-flight responses of a deleted tenant. */
  discardForTenant(tenantId: string): void;
  /** Discards all cached and in-flight responses, after a reset or a restored snapshot. */
  clear(): void;
}

interface IdempotencyServices {
  store: Store;
  clocks: TenantClocks;
}

export function createIdempotency({ store, clocks }: IdempotencyServices): Idempotency {
  const { shared } = store;
  const inFlight = new Map<string, InFlightRequest>();
  const cache = new ResponseCache(clocks.global);
  const responses = new StoredResponses(store);
  clocks.each((clock, tenantId) => {
    clock.every(SWEEP_INTERVAL_MS, async () => {
      cache.deleteExpired();
      await deleteExpired({ store, clocks }, tenantId).catch(ignoreUnavailable);
    });
  });

  async function findStored(id: string, request: IdempotentRequest): Promise<StoredResponse | undefined> {
    const { tenantId } = request;
    const record = cache.get(tenantId, id) ?? (await store.get('idempotency', tenantId, id));
    if (!record || Date.parse(record.expires_at) <= clocks.of(tenantId).now()) return undefined;
    if (isMark(record)) throw responseLost();
    if (!(await isPermitted(record, request))) return undefined;
    const { status, body, headers } = record;
    return { status, body, ...(headers && { headers }) };
  }

  /** Checks what another process may have changed while the response was being stored: the application, and the tokens. */
  async function isPermitted(record: IdempotencyRecord, request: IdempotentRequest): Promise<boolean> {
    const { application_revision: revision, token_ids: ids, tenant_id: tenantId } = record;
    if (!shared) return true;
    if (revision !== undefined && revision !== request.applicationRevision) return false;
    if (ids.length === 0) return true;
    return (await store.find('tokens', { tenantId, where: { ids }, limit: 0 })).total === new Set(ids).size;
  }

  async function save(record: IdempotencyRecord, { holdsSecrets }: IdempotentRequest): Promise<void> {
    if (holdsSecrets && !shared) cache.set(record);
    else await responses.save(record);
  }

  /** Keeps the key from other processes. If this one is killed, it stays in flight until the request must have ended. */
  async function claimed<T>(id: string, { method }: IdempotentRequest, task: () => Promise<T>): Promise<T> {
    if (!shared) return task();
    if (!(await shared.claim(id, leaseOf(method)))) throw requestInFlight();
    try {
      return await task();
    } finally {
      // If the database has become unavailable, the claim expires.
      await shared.release(id).catch(() => {});
    }
  }

  async function execute(
    id: string,
    request: IdempotentRequest,
    flight: InFlightRequest,
    attempt: () => Promise<StoredResponse>,
  ): Promise<StoredResponse> {
    const { tenantId } = request;
    const response = await attempt();
    const now = clocks.of(tenantId).now();
    if (!flight.discarded) await save(createRecord(id, response, flight, request, now), request);
    // Checked again: a token may have been deleted while the response was being stored.
    if (flight.discarded) await store.commit([{ remove: 'idempotency', tenantId, id }]).catch(ignoreConflict);
    return response;
  }

  async function removals(tenantId: string, where: Condition<'idempotency'>): Promise<Remove[]> {
    const { records } = await store.find('idempotency', { tenantId, where });
    return records.map(({ id }) => ({ remove: 'idempotency', tenantId, id }));
  }

  return {
    async run(request, attempt) {
      const { tenantId, applicationId } = request;
      const id = recordId(request);
      if (inFlight.has(id)) throw requestInFlight();
      const tokenIds = new Set<string>();
      const flight = { tenantId, applicationId, tokenIds, discarded: false };
      inFlight.set(id, flight);
      try {
        return await claimed(id, request, async () => {
          const now = clocks.of(tenantId).now();
          const marker = shared && new IdempotencyMarker(store, createMark(id, flight, request, now));
          const stored = await findStored(id, request);
          if (stored) return stored;
          return execute(id, request, flight, async () => {
            try {
              return await attempt(tokenIds, marker);
            } catch (error) {
              await marker?.remove().catch(ignoreConflict);
              throw error;
            } finally {
              await marker?.end();
            }
          });
        });
      } finally {
        inFlight.delete(id);
      }
    },
    find: (request) => findStored(recordId(request), request),
    async discardForTokens(tenantId, tokenIds) {
      discardInFlight(inFlight.values(), tenantId, { tokenIds });
      cache.discardForTokens(tenantId, tokenIds);
      return removals(tenantId, { any: tokenIds.map((is) => ({ term: 'token', is })) });
    },
    async discardForApplication(tenantId, applicationId) {
      discardInFlight(inFlight.values(), tenantId, { applicationId });
      cache.discardForApplication(tenantId, applicationId);
      return removals(tenantId, { term: 'application', is: applicationId });
    },
    discardForTenant(tenantId) {
      discardInFlight(inFlight.values(), tenantId);
      cache.discardForTenant(tenantId);
      responses.forget(tenantId);
    },
    clear() {
      for (const flight of inFlight.values()) flight.discarded = true;
      cache.clear();
      responses.forget();
    },
  };
}

function requestInFlight(): ProblemError {
  const detail =
    'A request with this idempotency key is in flight. Repeat it after that request has completed.';
  return retryableProblem('requestInFlight', detail);
}

/** The request was carried out by a process that ended before it could store the response. */
function responseLost(): ProblemError {
  const detail =
    'The request with this idempotency key was carried out, but its response was lost. Read what it changed.';
  return problem('requestInFlight', detail);
}

/** Milliseconds after which a request has ended, even if its process was killed. */
function leaseOf(method: string): number {
  return (method === RESULT_METHOD ? LIMITS.asyncTimeoutMs.maximum : LIMITS.syncTimeoutMs) + LEASE_MARGIN_MS;
}

/** Deletes the expired responses of a tenant, or those of all tenants that have the global clock. */
async function deleteExpired(
  { store, clocks }: IdempotencyServices,
  only: string | undefined,
): Promise<void> {
  const clock = only === undefined ? clocks.global : clocks.of(only);
  const { records } = await store.find('idempotency', {
    ...(only !== undefined && { tenantId: only }),
    where: { range: 'expires_at', lte: clock.now() },
  });
  for (const { id, tenant_id: tenantId } of records) {
    if (only === undefined && clocks.has(tenantId)) continue;
    await store.commit([{ remove: 'idempotency', tenantId, id }]).catch(ignoreConflict);
  }
}
