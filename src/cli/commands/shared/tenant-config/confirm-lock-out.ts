import { PERMISSION_NAMES } from '../../../../contract/permissions.js';
import type { Context } from '../../../command.js';
import type { Plan } from '../../../tenant-config/plan/plan.js';
import { confirmApplicationDeletion, confirmOwnRestriction } from '../lock-out.js';

/**
 * Asks for the name of an application before a plan takes permissions from the key in use, or deletes its application: the next
 * run would have no access.
 * @throws {CliError} if it is not given
 */
export async function confirmLockOut(
  { objects, deletions }: Plan,
  confirm: string | undefined,
  context: Context,
): Promise<void> {
  for (const planned of objects) {
    if (planned.action !== 'update' || !('type' in planned.desired) || !planned.before) continue;
    await confirmOwnRestriction(planned.before.id, planned.desired, confirm, context, PERMISSION_NAMES);
  }
  const deleted = deletions.filter(({ kind }) => kind === 'application').map(({ before }) => before.id);
  if (deleted.length > 0) await confirmApplicationDeletion(deleted, confirm, context);
}
