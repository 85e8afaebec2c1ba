import type { ApplicationRecord, Stored } from '../../store/records.js';
import type { Call } from '../call.js';
import type { Context } from '../context.js';
import { updateRecord } from '../write-record.js';

/**
 * Updates an application, and discards the responses that were stored under its former access controls. A new name keeps them:
 * a request that is repeated must not be carried out twice.
 */
export async function updateApplication(
  resource: Stored<ApplicationRecord>,
  call: Call,
  context: Context,
  change: (current: Stored<ApplicationRecord>) => Stored<ApplicationRecord>,
): Promise<Stored<ApplicationRecord>> {
  const { tenant_id: tenantId, id } = resource;
  const record = await updateRecord('applications', resource, change, call, context, (changed) =>
    changed.every((field) => field === 'name') ? [] : context.idempotency.discardForApplication(tenantId, id),
  );
  await context.callers.refreshApplication(tenantId, id);
  return record;
}
