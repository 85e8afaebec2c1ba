import type { Context } from '../../../command.js';
import type { Plan } from '../../../reactors/plan/plan.js';
import { confirmDeletion } from '../../shared/confirm.js';

/**
 * Asks before a plan deletes reactors or changes a protected service, once and before any reactor is applied.
 * @throws {CliError} if the user declines or cannot be asked.
 */
export async function confirmPlan({ reactors, deletions }: Plan, context: Context): Promise<void> {
  if (deletions.length > 0)
    await confirmDeletion(`the reactors ${deletions.map(({ before }) => before.name).join(', ')}`, context);
  const changes = reactors.some(({ action }) => action === 'create' || action === 'update');
  if (changes) await (await context.client.connection()).beforeWrite?.();
}
