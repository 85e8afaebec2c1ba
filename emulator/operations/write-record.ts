import { audit } from '../services/audit-log.js';
import type { LogRecord, Records, Stored } from '../store/records.js';
import type { Change, Insert, Replace } from '../store/store.js';
import type { Call } from './call.js';
import { changedFields } from './changed-fields.js';
import type { Context } from './context.js';
import { requireTenant } from './require-tenant.js';
import { retryOnConflict } from './retry-on-conflict.js';

/** The collections that hold how a tenant is configured, and what the audit log calls their records. */
const ENTITIES = {
  applications: 'application',
  proxies: 'proxy',
  reactors: 'reactor',
  webhooks: 'webhook',
} as const satisfies Partial<Record<keyof Records, LogRecord['entity_type']>>;

type ConfigurationName = keyof typeof ENTITIES;

type Operation = 'create' | 'update' | 'delete';

/** Returns further changes that are committed together with that of the record; an update names the fields that it changes. */
type Additions = (changed: string[]) => Change[] | Promise<Change[]>;

const none: Additions = () => [];

/** Stores a new record, with its audit entry. */
export async function insertRecord<N extends ConfigurationName>(
  collection: N,
  record: Records[N],
  call: Call,
  context: Context,
): Promise<void> {
  const entry = auditEntry(collection, 'create', record.id, call, context);
  // The compiler does not relate the name of a generic collection to its records.
  await context.store.commit([requireTenant(call), { insert: collection, record } as Insert, entry]);
}

/**
 * Replaces a record by a changed copy, with its audit entry; repeated after a concurrent change.
 * @throws ProblemError 404 when the record has been deleted
 */
export function updateRecord<N extends ConfigurationName>(
  collection: N,
  resource: Stored<Records[N]>,
  change: (current: Stored<Records[N]>) => Stored<Records[N]>,
  call: Call,
  context: Context,
  additions = none,
): Promise<Stored<Records[N]>> {
  return retryOnConflict(collection, resource, context, async (current) => {
    const modified = { modified_by: call.actor.id, modified_at: context.clock.timestamp() };
    const record = Object.assign({}, change(current), modified);
    const changed = changedFields(current, record);
    const entry = auditEntry(collection, 'update', record.id, call, context, changed);
    await context.store.commit([
      { replace: collection, record } as Replace<ConfigurationName>,
      ...(await additions(changed)),
      entry,
    ]);
    return record;
  });
}

/**
 * Removes a record, with an audit entry; repeated after a concurrent change.
 * @throws ProblemError 404 when the record has been deleted
 */
export function removeRecord<N extends ConfigurationName>(
  collection: N,
  resource: Stored<Records[N]>,
  call: Call,
  context: Context,
  additions = none,
): Promise<void> {
  return retryOnConflict(collection, resource, context, async ({ tenant_id: tenantId, id }) => {
    const entry = auditEntry(collection, 'delete', id, call, context);
    await context.store.commit([{ remove: collection, tenantId, id }, ...(await additions([])), entry]);
  });
}

function auditEntry(
  collection: ConfigurationName,
  operation: Operation,
  id: string,
  call: Call,
  context: Context,
  changed?: string[],
): Insert<'log'> {
  return audit(call, { entity: ENTITIES[collection], operation, id, ...(changed && { changed }) }, context);
}
