import { createHash } from 'node:crypto';
import { LIMITS } from '../../src/contract/limits.js';
import type { OperationRow } from '../../src/contract/operation.js';
import { formatTimestamp } from '../lib/timestamps.js';
import type { Context } from '../operations/context.js';
import type { OperationResult } from '../operations/execute.js';
import type { Call } from '../operations/handler.js';
import { ProblemError } from '../problems/problem.js';
import { ConflictError } from '../store/errors.js';
import type { IdempotencyRecord } from '../store/records.js';
import type { Remove } from '../store/store.js';
import { discardForTokens, type InFlightRequest } from './in-flight.js';
import { ResponseCache } from './response-cache.js';

/** Expired answers are removed this often, in milliseconds. */
const SWEEP_INTERVAL_MS = 600_000;

/** What names one use of an idempotency key. */
export interface Use {
  row: OperationRow;
  /** The path as requested. */
  path: string;
  key: string;
}

/** Idempotency keys; decisions.md, "Headers". */
export interface Idempotency {
  /**
   * The stored answer of an earlier request with the key, or that of the attempt, which is stored when it succeeds.
   * @throws ProblemError 409 while another request with the key runs
   */
  run(use: Use, call: Call, attempt: (call: Call) => Promise<OperationResult>): Promise<OperationResult>;
  /**
   * The changes that remove the stored answers which show the tokens, to be committed with what removes the tokens (or a
   * part of their data). Answers that are in memory only are dropped at once, those still to come are not stored.
   */
  discardForTokens(tenantId: string, tokenIds: readonly string[]): Promise<Remove[]>;
  /** The same for all that is in memory and still to come of a tenant that was deleted. */
  discardForTenant(tenantId: string): void;
  /** The same for everybody: after a reset and after a restored snapshot. */
  clear(): void;
}

type Needs = Pick<Context, 'store' | 'clock'>;

export function createIdempotency({ store, clock }: Needs): Idempotency {
  const running = new Map<string, InFlightRequest>();
  const memory = new ResponseCache(clock);
  clock.every(SWEEP_INTERVAL_MS, () => removeExpired({ store, clock }));

  async function stored(id: string, tenantId: string): Promise<OperationResult | undefined> {
    const record = memory.get(id) ?? (await store.get('idempotency', tenantId, id));
    const valid = record && Date.parse(record.expires_at) > clock.now();
    if (!valid) return undefined;
    const { status, body, headers } = record;
    return { status, body, ...(headers && { headers }) };
  }

  async function keep(record: IdempotencyRecord, row: OperationRow): Promise<void> {
    if (row.holdsSecrets) return memory.set(record);
    const { tenant_id: tenantId, id } = record;
    const expired = await store.get('idempotency', tenantId, id);
    const remove = expired ? [{ remove: 'idempotency' as const, tenantId, id }] : [];
    await store.commit([{ require: 'tenants', tenantId }, ...remove, { insert: 'idempotency', record }]);
  }

  async function first(
    id: string,
    { row }: Use,
    request: InFlightRequest,
    attempt: () => Promise<OperationResult>,
  ) {
    const { tenantId } = request;
    const answer = await attempt();
    if (!request.discarded) await keep(recordOf(id, answer, request), row);
    // Asked after that: a token may have gone while it was being written.
    if (request.discarded) await store.commit([{ remove: 'idempotency', tenantId, id }]).catch(unlessGone);
    return answer;
  }

  function recordOf(
    id: string,
    { status, body, headers }: OperationResult,
    request: InFlightRequest,
  ): IdempotencyRecord {
    const now = clock.now();
    return {
      id,
      tenant_id: request.tenantId,
      status,
      body,
      ...(headers && { headers }),
      token_ids: [...request.tokenIds],
      created_at: formatTimestamp(now),
      expires_at: formatTimestamp(now + LIMITS.idempotencyLifetimeMs),
    };
  }

  return {
    async run(use, call, attempt) {
      const id = idOf(use, call);
      if (running.has(id)) throw inFlight();
      const tokenIds = new Set<string>();
      const request = { tenantId: call.tenant.id, tokenIds, discarded: false };
      running.set(id, request);
      try {
        return (
          (await stored(id, call.tenant.id)) ??
          (await first(id, use, request, () => attempt({ ...call, tokenIds })))
        );
      } finally {
        running.delete(id);
      }
    },
    async discardForTokens(tenantId, tokenIds) {
      discardForTokens(running.values(), tenantId, tokenIds);
      memory.discardForTokens(tenantId, tokenIds);
      const { records } = await store.find('idempotency', {
        tenantId,
        where: { any: tokenIds.map((is) => ({ term: 'token', is })) },
      });
      return records.map(({ id }) => ({ remove: 'idempotency', tenantId, id }));
    },
    discardForTenant(tenantId) {
      discardForTokens(running.values(), tenantId);
      memory.discardForTenant(tenantId);
    },
    clear() {
      for (const request of running.values()) request.discarded = true;
      memory.clear();
    },
  };
}

/** Per application, method, path and key; hashed, since a client may put anything into a key. */
function idOf({ row, path, key }: Use, call: Call): string {
  return createHash('sha256')
    .update(JSON.stringify([call.application.id, row.method, path, key]))
    .digest('base64url');
}

function inFlight(): ProblemError {
  const detail =
    'A request with this idempotency key is still running; repeat it when that has been answered.';
  return new ProblemError('requestInFlight', detail, { headers: { 'Retry-After': '1' } });
}

async function removeExpired({ store, clock }: Needs): Promise<void> {
  const { records } = await store.find('idempotency', { where: { range: 'expires_at', lte: clock.now() } });
  for (const { id, tenant_id: tenantId } of records) {
    await store.commit([{ remove: 'idempotency', tenantId, id }]).catch(unlessGone);
  }
}

/** Its token may have taken it along meanwhile. */
function unlessGone(error: unknown): void {
  if (!(error instanceof ConflictError)) throw error;
}
