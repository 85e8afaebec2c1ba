import { PAST } from '../../../src/contract/audit-log.js';
import type { WebhookEvent } from '../../../src/contract/control/deliveries.js';
import {
  type EventEntity,
  type EventType,
  eventObject,
  REPORTED_TYPES,
} from '../../../src/contract/event-types.js';
import { fieldsOfKind, type Noun, RESOURCES } from '../../../src/contract/resources.js';
import { forEachYielding } from '../../lib/turns.js';
import type { LogRecord, TokenRecord } from '../../store/records.js';
import type { Change } from '../../store/store.js';
import type { AuditEntry } from '../audit-log.js';

const TYPES: ReadonlySet<string> = new Set(REPORTED_TYPES);

/** Returns the type of the event that an audit entry describes; undefined when there is none. */
function typeOf({ entity_type, operation, actor_type }: LogRecord): EventType | undefined {
  const isIntent = entity_type === 'token-intent';
  const expired = operation === 'delete' && actor_type === 'system' && (isIntent || entity_type === 'token');
  const type = `${entity_type}.${expired ? 'expired' : PAST[operation]}`;
  const named = NAMED[type] ?? type;
  return TYPES.has(named) ? (named as EventType) : undefined;
}

/** Types that are not called as the operation is. */
const NAMED: Readonly<Record<string, string>> = {
  'token-intent.used': 'token-intent.converted',
  'session.updated': 'session.authorized',
};

/** An event, and the trace id of the request that caused it, if one did. */
export type CausedEvent = { event: WebhookEvent; traceId?: string | undefined };

/** The events of a commit, without data, code, configurations, keys or secrets. @param now by the global clock */
export async function eventsOf(changes: readonly Change[], ids: { uuid(): string }, now: string) {
  const records = recordsOf(changes);
  const isLogged = changes.some((change) => 'insert' in change && change.insert === 'log');
  const eventsOfChange = (change: Change): CausedEvent[] => {
    // Nobody asked for it: the cvc of a token has expired.
    if (!isLogged && 'replace' in change && change.replace === 'tokens')
      return [{ event: propertyExpired(change.record as TokenRecord, now, ids) }];
    if ('insert' in change && change.insert === 'log') return logEvent(change as AuditEntry, records, ids);
    if ('clear' in change && change.clear === 'tenant' && !replacesTenant(changes)) {
      const { tenantId } = change;
      const data = { tenant: { id: tenantId } };
      const event = { id: ids.uuid(), type: 'tenant.deleted', timestamp: now, tenant_id: tenantId, data };
      return [{ event }];
    }
    return [];
  };
  const events: CausedEvent[] = [];
  await forEachYielding(changes, (change) => void events.push(...eventsOfChange(change)));
  return events;
}

const propertyExpired = (token: TokenRecord, now: string, ids: { uuid(): string }): WebhookEvent => {
  const object = { ...publicFields('token', token), property_name: 'cvc' };
  const data = { token: object, actor: { type: 'system' } };
  return { id: ids.uuid(), type: 'token.property.expired', timestamp: now, tenant_id: token.tenant_id, data };
};

/** Whether the commit stores a tenant again that it clears, as the import of a tenant file does. */
function replacesTenant(changes: readonly Change[]): boolean {
  return changes.some((change) => 'insert' in change && change.insert === 'tenants');
}

function logEvent({ record: entry, traceId }: AuditEntry, records: WrittenRecords, ids: { uuid(): string }) {
  const type = typeOf(entry);
  const { entity_id: id, actor_id, actor_type, tenant_id } = entry;
  if (type === undefined || id === undefined) return [];
  const entity = entry.entity_type as EventEntity;
  const record = records.get(`${collectionOf(entity)} ${id}`);
  const data = {
    [eventObject(type)]: record ? publicFields(entity, record) : { id },
    actor: { type: actor_type, ...(actor_id !== undefined && { id: actor_id }) },
  };
  return [{ event: { id: ids.uuid(), type, timestamp: entry.created_at, tenant_id, data }, traceId }];
}

const collectionOf = (entity: EventEntity): string =>
  entity in RESOURCES ? RESOURCES[entity as Noun].collection : `${entity}s`;

/** By collection and id. */
type WrittenRecords = ReadonlyMap<string, object>;

function recordsOf(changes: readonly Change[]): WrittenRecords {
  const records = new Map<string, object>();
  for (const change of changes) {
    const name = 'insert' in change ? change.insert : 'replace' in change ? change.replace : undefined;
    if (name !== undefined && 'record' in change) records.set(`${name} ${change.record.id}`, change.record);
  }
  return records;
}

const ALWAYS = ['id', 'created_by', 'created_at', 'modified_by', 'modified_at'];

/** Kinds of fields that events have: neither code nor what may hold secrets. */
const PUBLIC_KINDS = ['text', 'boolean', 'names', 'rules', 'application'] as const;

/** The fields that the events of an entity have, and that is all they have. */
function fieldsOf(entity: EventEntity): readonly string[] {
  if (entity === 'tenant') return [...ALWAYS, 'name', 'settings'];
  if (entity === 'token') return [...ALWAYS, 'type', 'metadata', 'containers', 'fingerprint', 'expires_at'];
  if (entity === 'session') return ['id', 'created_at', 'expires_at', 'permissions', 'rules'];
  if (entity === 'token-intent') return [...ALWAYS, 'type', 'fingerprint', 'expires_at'];
  return [...ALWAYS, ...fieldsOfKind(RESOURCES[entity], PUBLIC_KINDS)];
}

function publicFields(entity: EventEntity, record: object): Record<string, unknown> {
  const names = fieldsOf(entity);
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}
