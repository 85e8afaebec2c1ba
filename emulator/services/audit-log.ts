import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../access/caller-registry.js';
import type { Clock } from '../lib/clock.js';
import type { Ids } from '../lib/ids.js';
import type { LogRecord } from '../store/records.js';
import type { Insert } from '../store/store.js';

type AuditServices = { ids: Pick<Ids, 'uuid'>; clock: Pick<Clock, 'timestamp'> };

/** What was done to which entity; without `id` for a list. */
export interface Audited {
  entity: LogRecord['entity_type'];
  operation: LogRecord['operation'];
  id?: string;
  transform?: LogRecord['transform'];
  changed?: string[];
}

/** The insert of an audit entry, and the trace id of the request that it is about; none for what the emulator does by itself. */
export type AuditEntry = Insert<'log'> & { traceId?: string };

interface AuditedCall extends Pick<Caller, 'tenant' | 'actor'> {
  traceId?: string;
  /** The last entry of the call, for the event log. */
  audited?: Audited | undefined;
}

/** Creates the audit entry of a call, to commit with the change or to record for a read. It holds ids, never data. */
export function audit(call: AuditedCall, what: Audited, services: AuditServices): AuditEntry {
  call.audited = what;
  const entry: AuditEntry = createEntry(call.tenant.id, call.actor, what, services);
  if (call.traceId !== undefined) entry.traceId = call.traceId;
  return entry;
}

/** Returns what an event says of the audit entry of a call: how data was shown, and the names of changed fields. */
export function auditedFields({ audited }: Pick<AuditedCall, 'audited'>) {
  const { transform, changed }: Partial<Audited> = audited ?? {};
  return { ...(transform !== undefined && { transform }), ...(changed !== undefined && { changed }) };
}

/** Creates the audit entry of a change that no caller made, such as the removal of an expired token. */
export function systemAudit(tenantId: string, what: Audited, services: AuditServices): Insert<'log'> {
  return createEntry(tenantId, { type: 'system' }, what, services);
}

function createEntry(
  tenantId: string,
  actor: { type: LogRecord['actor_type']; id?: string },
  { entity, operation, id, transform, changed }: Audited,
  { ids, clock }: AuditServices,
): Insert<'log'> {
  const record: LogRecord = {
    id: ids.uuid(),
    tenant_id: tenantId,
    actor_type: actor.type,
    entity_type: entity,
    operation,
    created_at: clock.timestamp(),
  };
  if (actor.id !== undefined) record.actor_id = actor.id;
  if (id !== undefined) record.entity_id = id;
  if (transform !== undefined) record.transform = transform;
  if (changed !== undefined) record.changed = changed;
  return { insert: 'log', record };
}

/** Properties that every update sets, or that follow from others. */
const DERIVED = new Set(['revision', 'modified_at', 'modified_by', 'search_values', 'cvc_expires_at']);

/** Lists the names of the fields that differ between two versions of a record: `metadata`, `name`. Never values. */
export function changedFields(before: object, after: object): string[] {
  const [old, next] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const changed = [...old.keys(), ...next.keys()].filter(
    (name) => !DERIVED.has(name) && !isDeepStrictEqual(old.get(name), next.get(name)),
  );
  return [...new Set(changed)].sort();
}
