import type { Actor } from '../access/caller-registry.js';
import type { Context } from '../operations/context.js';
import type { Call } from '../operations/handler.js';
import type { LogRecord } from '../store/records.js';
import type { Insert } from '../store/store.js';

type AuditContext = Pick<Context, 'ids' | 'clock'>;

/** What was done to which entity; without `id` for a list. */
export interface Audited {
  entity: LogRecord['entity_type'];
  operation: LogRecord['operation'];
  id?: string;
}

const PAST: Record<LogRecord['operation'], string> = {
  create: 'created',
  read: 'read',
  update: 'updated',
  delete: 'deleted',
  use: 'used',
  list: 'listed',
};

/**
 * The audit entry of a call, to be committed with the change it tells of, or recorded (`store.record`) for a read.
 * Holds ids, never data.
 */
export function audit(
  call: Pick<Call, 'tenant' | 'actor'>,
  what: Audited,
  context: AuditContext,
): Insert<'log'> {
  return entry(call.tenant.id, call.actor, what, context);
}

/** The same for what happens by itself: a sweep, a seed. */
export function systemAudit(tenantId: string, what: Audited, context: AuditContext): Insert<'log'> {
  return entry(tenantId, { type: 'system' }, what, context);
}

function entry(
  tenantId: string,
  actor: Actor | { type: 'system'; id?: never },
  { entity, operation, id }: Audited,
  { ids, clock }: AuditContext,
): Insert<'log'> {
  // Property by property: every read of a token passes here, and each spread would copy the rest once more.
  const record: LogRecord = {
    id: ids.uuid(),
    tenant_id: tenantId,
    actor_type: actor.type,
    entity_type: entity,
    operation,
    message: `${entity}${operation === 'list' ? 's' : ''} ${PAST[operation]}`,
    created_at: clock.timestamp(),
  };
  if (actor.id !== undefined) record.actor_id = actor.id;
  if (id !== undefined) record.entity_id = id;
  return { insert: 'log', record };
}
