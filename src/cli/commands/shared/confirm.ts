import type { Context } from '../../command.js';
import { interruptedError, usageError } from '../../lib/errors.js';

/** Asks before something is deleted. @throws {CliError} when it is not wanted, or nobody can be asked. */
export async function confirmDeletion(
  what: string,
  yes: boolean | undefined,
  { prompts }: Context,
): Promise<void> {
  if (yes) return;
  if (!prompts.interactive) throw usageError(`Deleting ${what} needs --yes when there is nobody to ask.`);
  if (!(await prompts.confirm({ message: `Delete ${what} for good?`, flag: '--yes' })))
    throw interruptedError();
}
