import { LIMITS } from '../../../src/contract/limits.js';
import type { TenantClocks } from '../../lib/tenant-clocks.js';
import { problem, retryableProblem } from '../../problems/problem.js';
import type { Condition } from '../../store/condition.js';
import { ignoreConflict, ignoreUnavailable } from '../../store/errors.js';
import type { IdempotencyRecord } from '../../store/records.js';
import type { Remove, Store } from '../../store/store.js';
import { haveTokens } from '../live-tokens.js';
import { IdempotencyMarker } from './marker.js';
import {
  createRecord,
  discardInFlight,
  type IdempotentRequest,
  type InFlightRequest,
  isMark,
  MARK,
  RESULT_METHOD,
  recordId,
  type StoredResponse,
} from './record.js';
import { ResponseCache, StoredResponses } from './stored-responses.js';

const SWEEP_INTERVAL_MS = 600_000;

/** Time for what a request does before and after its reactor runs, in milliseconds. */
const LEASE_MARGIN_MS = 30_000;

/** Executes a request and adds the tokens of its response to `tokenIds`. @param marker if processes share the store */
type Attempt = (tokenIds: Set<string>, marker?: IdempotencyMarker) => Promise<StoredResponse>;

/** Idempotency keys; decisions.md, "Headers". */
export class Idempotency {
  readonly #inFlight = new Map<string, InFlightRequest>();
  readonly #cache: ResponseCache;
  readonly #responses: StoredResponses;

  constructor(private readonly services: { store: Store; clocks: TenantClocks }) {
    const { store, clocks } = services;
    this.#cache = new ResponseCache(clocks.global);
    this.#responses = new StoredResponses(store);
    clocks.each((clock, tenantId) => {
      clock.every(SWEEP_INTERVAL_MS, async () => {
        this.#cache.deleteExpired();
        await this.#deleteExpired(tenantId).catch(ignoreUnavailable);
      });
    });
  }

  /** Returns the response stored for the key, or that of the attempt, stored now. @throws ProblemError 409 in flight */
  async run(request: IdempotentRequest, attempt: Attempt): Promise<StoredResponse> {
    const { tenantId, applicationId } = request;
    const id = recordId(request);
    if (this.#inFlight.has(id)) throw requestInFlight();
    const tokenIds = new Set<string>();
    const flight = { tenantId, applicationId, tokenIds, discarded: false };
    this.#inFlight.set(id, flight);
    try {
      return await this.#claimed(id, request, async () => {
        const stored = await this.#findStored(id, request);
        return stored ?? this.#execute(id, request, flight, (marker) => attempt(tokenIds, marker));
      });
    } finally {
      this.#inFlight.delete(id);
    }
  }

  /** Returns the stored response of a request; undefined while it is in flight, and when there is none. */
  find(request: IdempotentRequest): Promise<StoredResponse | undefined> {
    return this.#findStored(recordId(request), request);
  }

  /** Returns the changes that delete stored responses with data of the tokens, to commit with the tokens' deletion. */
  async discardForTokens(tenantId: string, tokenIds: readonly string[]): Promise<Remove[]> {
    discardInFlight(this.#inFlight.values(), tenantId, { tokenIds });
    this.#cache.discardForTokens(tenantId, tokenIds);
    return this.#removals(tenantId, { any: tokenIds.map((is) => ({ term: 'token', is })) });
  }

  /** Returns the changes that delete an application's responses, to commit with a change of its access or key. */
  async discardForApplication(tenantId: string, applicationId: string): Promise<Remove[]> {
    discardInFlight(this.#inFlight.values(), tenantId, { applicationId });
    this.#cache.discardForApplication(tenantId, applicationId);
    return this.#removals(tenantId, { term: 'application', is: applicationId });
  }

  /** Discards the cached and in-flight responses of a deleted tenant. */
  discardForTenant(tenantId: string): void {
    discardInFlight(this.#inFlight.values(), tenantId);
    this.#cache.discardForTenant(tenantId);
    this.#responses.forget(tenantId);
  }

  /** Discards all cached and in-flight responses, after a reset or a restored snapshot. */
  clear(): void {
    for (const flight of this.#inFlight.values()) flight.discarded = true;
    this.#cache.clear();
    this.#responses.forget();
  }

  async #findStored(id: string, request: IdempotentRequest): Promise<StoredResponse | undefined> {
    const { tenantId } = request;
    const record =
      this.#cache.get(tenantId, id) ?? (await this.services.store.get('idempotency', tenantId, id));
    if (!record || Date.parse(record.expires_at) <= this.services.clocks.of(tenantId).now()) return undefined;
    if (isMark(record)) throw responseLost();
    if (!(await this.#isPermitted(record, request))) return undefined;
    const { status, body, headers } = record;
    return { status, body, ...(headers && { headers }) };
  }

  /** Checks what may have changed in the meantime: the tokens and, by another process, the application. */
  async #isPermitted(record: IdempotencyRecord, request: IdempotentRequest): Promise<boolean> {
    const { application_revision: revision, token_ids: ids, tenant_id: tenantId } = record;
    const isOther = revision !== undefined && revision !== request.applicationRevision;
    if (this.services.store.shared && isOther) return false;
    return haveTokens(this.services.store, tenantId, ids);
  }

  /** Keeps the key from other processes. If this one is killed, it stays in flight until the request must have ended. */
  async #claimed<T>(id: string, { method }: IdempotentRequest, task: () => Promise<T>): Promise<T> {
    const { shared } = this.services.store;
    if (!shared) return task();
    const longest = method === RESULT_METHOD ? LIMITS.asyncTimeoutMs.maximum : LIMITS.syncTimeoutMs;
    if (!(await shared.claim(id, longest + LEASE_MARGIN_MS))) throw requestInFlight();
    try {
      return await task();
    } finally {
      // If the database has become unavailable, the claim expires.
      await shared.release(id).catch(() => {});
    }
  }

  async #execute(
    id: string,
    request: IdempotentRequest,
    flight: InFlightRequest,
    attempt: (marker?: IdempotencyMarker) => Promise<StoredResponse>,
  ): Promise<StoredResponse> {
    const { tenantId, holdsSecrets } = request;
    const store = this.services.store;
    const recordOf = (response: StoredResponse) =>
      createRecord(id, response, flight, request, this.services.clocks.of(tenantId).now());
    const marker = store.shared && new IdempotencyMarker(store, recordOf(MARK));
    const response = await (marker ? marker.run(() => attempt(marker)) : attempt());
    if (!flight.discarded)
      if (holdsSecrets && !store.shared) this.#cache.set(recordOf(response));
      else await this.#responses.save(recordOf(response));
    // Checked again: a token may have been deleted while the response was being stored.
    if (flight.discarded) await store.commit([{ remove: 'idempotency', tenantId, id }]).catch(ignoreConflict);
    return response;
  }

  async #removals(tenantId: string, where: Condition<'idempotency'>): Promise<Remove[]> {
    const { records } = await this.services.store.find('idempotency', { tenantId, where });
    return records.map(({ id }) => ({ remove: 'idempotency', tenantId, id }));
  }

  /** Deletes the expired responses of a tenant, or those of all tenants that have the global clock. */
  async #deleteExpired(only: string | undefined): Promise<void> {
    const clock = only === undefined ? this.services.clocks.global : this.services.clocks.of(only);
    const { records } = await this.services.store.find('idempotency', {
      tenantId: only,
      where: { range: 'expires_at', lte: clock.now() },
    });
    for (const { id, tenant_id: tenantId } of records) {
      if (only === undefined && this.services.clocks.has(tenantId)) continue;
      await this.services.store.commit([{ remove: 'idempotency', tenantId, id }]).catch(ignoreConflict);
    }
  }
}

const requestInFlight = () =>
  retryableProblem(
    'requestInFlight',
    'A request with this idempotency key is in flight. Repeat it after that request has completed.',
  );

/** The request was carried out by a process that ended before it could store the response. */
const responseLost = () =>
  problem(
    'requestInFlight',
    'The request with this idempotency key was carried out, but its response was lost. Read what it changed.',
  );
