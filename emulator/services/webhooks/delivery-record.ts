import type { PendingDelivery, WebhookEvent } from '../../../src/contract/control/deliveries.js';
import type { EventType } from '../../../src/contract/event-types.js';
import { isObject } from '../../../src/contract/json.js';
import { LIMITS } from '../../../src/contract/limits.js';
import { maskUrl } from '../../../src/contract/masking.js';
import type { Clock } from '../../lib/clock.js';
import { nextInOrder } from '../../lib/ids.js';
import type { TenantClocks } from '../../lib/tenant-clocks.js';
import { problem, problemBody } from '../../problems/problem.js';
import type { DeliveryRecord, EventRecord, Stored, WebhookRecord } from '../../store/records.js';
import type { CausedEvent } from './entity-event.js';

/** A callback whose body is not known yet, because its reactor still runs. */
export interface ExpectedDelivery {
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
  { tenantId, reactorId, url, traceId, tokenIds }: ExpectedDelivery,
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

export function createEvent(id: string, event: WebhookEvent, now: string): EventRecord {
  return { id, tenant_id: event.tenant_id, body: JSON.stringify({ event }), created_at: now };
}

/** Creates the delivery of an event to a webhook. @param record that of the event @param secret signs the event */
export function createEventDelivery(
  id: string,
  { event, traceId }: CausedEvent,
  record: EventRecord,
  webhook: WebhookRecord,
  secret: string,
): DeliveryRecord {
  const [entity = '', object] = Object.entries(event.data)[0] ?? [];
  const entityId = isObject(object) ? String(object.id) : '';
  return {
    id,
    tenant_id: event.tenant_id,
    event: { id: event.id, type: event.type, webhook_id: webhook.id, record: record.id },
    order: { key: `${webhook.id}:${entity}:${entityId}`, at: nextInOrder() },
    url: webhook.url,
    webhook_secret: secret,
    token_ids: [],
    ...(traceId !== undefined && { trace_id: traceId }),
    attempts: 0,
    next_attempt_at: record.created_at,
    created_at: record.created_at,
  };
}

/** Returns the clock that a delivery about a tenant waits by. The last event of a tenant outlives the tenant's own clock. */
export function clockOf(
  { tenant_id, event }: { tenant_id: string; event?: { type: string } | undefined },
  clocks: Pick<TenantClocks, 'global' | 'of'>,
): Clock {
  return event?.type === ('tenant.deleted' satisfies EventType) ? clocks.global : clocks.of(tenant_id);
}

/** Returns the body to send: that of an event says when it is delivered. @param event the record of the event, if it is one */
export function bodyToSend({ body = '' }: DeliveryRecord, event: EventRecord | undefined, now: string) {
  return event ? `${event.body.slice(0, -1)},"delivered_at":${JSON.stringify(now)}}` : body;
}

export function describeDelivery(record: DeliveryRecord): PendingDelivery {
  const { id, tenant_id, reactor_id, event, url, attempts, last_error, next_attempt_at } = record;
  return {
    request_id: id,
    kind: event ? 'webhook' : 'callback',
    tenant_id,
    ...(reactor_id !== undefined && { reactor_id }),
    ...(event && { webhook_id: event.webhook_id, event_id: event.id, event_type: event.type }),
    url: maskUrl(url).replace(/\?.*$/, ''),
    attempts,
    ...(last_error !== undefined && { last_error }),
    next_attempt_at,
  };
}

export function withoutResult(record: Stored<DeliveryRecord>): Stored<DeliveryRecord> {
  const body = unavailableBody('The result was deleted with a token that it used.', record.trace_id ?? '');
  return { ...record, body, token_ids: [] };
}

function unavailableBody(detail: string, traceId: string): string {
  return JSON.stringify(problemBody(problem('unavailable', detail), traceId));
}

const FIRST_DELAY_MS = 1_000;

/** One second, doubled after each attempt, 17 minutes in total; undefined after the last one. */
export function retryDelayMs(attempts: number): number | undefined {
  return attempts > LIMITS.callback.retries ? undefined : FIRST_DELAY_MS * 2 ** (attempts - 1);
}
