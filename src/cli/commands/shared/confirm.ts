import type { Context } from '../../command.js';
import { interruptedError, usageError } from '../../lib/errors.js';

/** Asks before deleting. @throws {CliError} when that is declined or nobody can be asked */
export async function confirmDeletion(
  what: string,
  yes: boolean | undefined,
  { prompts }: Context,
): Promise<void> {
  if (yes) return;
  if (!prompts.interactive) throw usageError(`Deleting ${what} requires --yes when prompts are disabled.`);
  if (!(await prompts.confirm({ message: `Delete ${what} permanently?`, flag: '--yes' })))
    throw interruptedError();
}
