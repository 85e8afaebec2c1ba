import { audit } from '../../services/audit-log.js';
import type { ApplicationRecord, LogRecord, Stored } from '../../store/records.js';
import type { Call } from '../call.js';
import { changedFields } from '../changed-fields.js';
import type { Context } from '../context.js';
import { retryOnConflict } from '../retry-on-conflict.js';

export function auditEntry(
  operation: LogRecord['operation'],
  id: string,
  call: Call,
  context: Context,
  changed?: string[],
) {
  return audit(call, { entity: 'application', operation, id, ...(changed && { changed }) }, context);
}

/** Updates an application; retried when it was changed concurrently. */
export async function updateApplication(
  resource: Stored<ApplicationRecord>,
  call: Call,
  context: Context,
  change: (record: Stored<ApplicationRecord>) => Stored<ApplicationRecord>,
): Promise<Stored<ApplicationRecord>> {
  const record = await retryOnConflict('applications', resource, context, async (current) => {
    const next = {
      ...change(current),
      modified_by: call.actor.id,
      modified_at: context.clock.timestamp(),
    };
    await context.store.commit([
      { replace: 'applications', record: next },
      ...(await context.idempotency.discardForApplication(next.tenant_id, next.id)),
      auditEntry('update', next.id, call, context, changedFields(current, next)),
    ]);
    return next;
  });
  await context.callers.refreshApplication(record.tenant_id, record.id);
  return record;
}
