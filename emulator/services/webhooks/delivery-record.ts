import { problem, problemBody } from '../../problems/problem.js';
import type { DeliveryRecord, Stored } from '../../store/records.js';

/** A callback whose body is not known yet, because its reactor still runs. */
export interface PendingDelivery {
  tenantId: string;
  reactorId: string;
  url: string;
  traceId: string;
  /** Ids of the tokens that the invocation has used so far. The set grows while the invocation runs. */
  tokenIds: ReadonlySet<string>;
}

/** Creates the record of a pending delivery. Its body is what the receiver gets if the emulator stops before the result. */
export function createDelivery(
  id: string,
  { tenantId, reactorId, url, traceId, tokenIds }: PendingDelivery,
  now: string,
): DeliveryRecord {
  return {
    id,
    tenant_id: tenantId,
    reactor_id: reactorId,
    url,
    body: unavailableBody('The emulator stopped while the reactor was running.', traceId),
    token_ids: [...tokenIds],
    trace_id: traceId,
    attempts: 0,
    next_attempt_at: now,
    created_at: now,
  };
}

/** Replaces the body of a delivery that holds data of a deleted token. */
export function withoutResult(record: Stored<DeliveryRecord>): Stored<DeliveryRecord> {
  const body = unavailableBody('The result was deleted with a token that it used.', record.trace_id);
  return { ...record, body, token_ids: [] };
}

function unavailableBody(detail: string, traceId: string): string {
  return JSON.stringify(problemBody(problem('unavailable', detail), traceId));
}
