import type { Context } from '../../../command.js';
import type { Plan } from '../../../reactors/plan/plan.js';
import { confirmDeletion } from '../../shared/confirm.js';

/** Asks before a plan deletes reactors. @throws {CliError} if the user declines or cannot be asked. */
export async function confirmDeletions(
  { deletions }: Plan,
  yes: boolean | undefined,
  context: Context,
): Promise<void> {
  if (deletions.length === 0) return;
  await confirmDeletion(
    `the reactors ${deletions.map(({ before }) => before.name).join(', ')}`,
    yes,
    context,
  );
}
