import { audit } from '../../services/audit-log.js';
import type { Records, Stored } from '../../store/records.js';
import type { Change, Insert, Replace } from '../../store/store.js';
import type { Call } from '../call.js';
import { changedFields } from '../changed-fields.js';
import type { Context } from '../context.js';
import { retryOnConflict } from '../retry-on-conflict.js';
import type { ResourceCollection, ServedResource } from './served-resource.js';

type Operation = 'create' | 'update' | 'delete';

/** Stores a new record, with its audit entry. */
export async function insertRecord<C extends ResourceCollection>(
  served: ServedResource<C>,
  record: Records[C],
  call: Call,
  context: Context,
): Promise<void> {
  await served.assertRoom?.(record, context);
  const entry = auditEntry(served, 'create', record.id, call, context);
  // The compiler does not relate the name of a collection in the table to its records.
  const insert = { insert: served.row.collection, record } as Change;
  await context.store.commit([{ require: 'tenants', tenantId: call.tenant.id }, insert, entry]);
  await served.afterChange?.(record, context);
}

/**
 * Replaces a record by a changed copy, with its audit entry; repeated after a concurrent change.
 * @throws ProblemError 404 when the record has been deleted
 */
export async function updateRecord<C extends ResourceCollection>(
  served: ServedResource<C>,
  resource: Stored<Records[C]>,
  change: (current: Stored<Records[C]>) => Stored<Records[C]>,
  call: Call,
  context: Context,
): Promise<Stored<Records[C]>> {
  const collection = served.row.collection as C;
  const updated = await retryOnConflict(collection, resource, context, async (current) => {
    const modified = { modified_by: call.actor.id, modified_at: context.clock.timestamp() };
    const record = Object.assign({}, change(current), modified);
    await served.assertRoom?.(record, context);
    const changed = changedFields(current, record);
    const entry = auditEntry(served, 'update', record.id, call, context, changed);
    const replace = { replace: collection, record } as Replace<ResourceCollection>;
    const others = await served.commitWith?.(record, changed, context);
    await context.store.commit([replace, ...(others ?? []), entry]);
    return record;
  });
  await served.afterChange?.(updated, context);
  return updated;
}

/**
 * Removes a record, with an audit entry; repeated after a concurrent change.
 * @throws ProblemError 404 when the record has been deleted
 */
export async function removeRecord<C extends ResourceCollection>(
  served: ServedResource<C>,
  resource: Stored<Records[C]>,
  call: Call,
  context: Context,
): Promise<void> {
  const collection = served.row.collection as C;
  await retryOnConflict(collection, resource, context, async (current) => {
    const { tenant_id: tenantId, id } = current;
    const entry = auditEntry(served, 'delete', id, call, context);
    const others = await served.commitWith?.(current, undefined, context);
    await context.store.commit([{ remove: collection, tenantId, id }, ...(others ?? []), entry]);
  });
  await served.afterChange?.(resource, context);
  await served.afterRemoval?.(resource, context);
}

function auditEntry(
  { row: { noun: entity } }: Pick<ServedResource, 'row'>,
  operation: Operation,
  id: string,
  call: Call,
  context: Context,
  changed?: string[],
): Insert<'log'> {
  return audit(call, { entity, operation, id, ...(changed && { changed }) }, context);
}
