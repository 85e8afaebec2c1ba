import { describeConnection } from '../../../client/connection.js';
import type { Context } from '../../command.js';
import { declinedError, usageError } from '../../lib/errors.js';

/**
 * Asks before deleting, unless `--yes` is given.
 * @param where the place it is deleted from, if not clear from `what`
 * @returns whether the user was asked
 * @throws {CliError} when that is declined or there is no terminal to ask on
 */
async function confirm(
  what: string,
  where: () => Promise<string>,
  { prompts, settings }: Context,
): Promise<boolean> {
  if (settings.yes) return false;
  if (!prompts.interactive) throw usageError(`Deleting ${what} requires --yes when prompts are disabled.`);
  const message = `Delete ${what} permanently${await where()}?`;
  if (!(await prompts.confirm({ message, flag: '--yes' }))) throw declinedError('Nothing was deleted.');
  return true;
}

/** Asks before deleting something that is not on a service. @throws {CliError} when declined or without a terminal */
export async function confirmLocalDeletion(what: string, context: Context): Promise<void> {
  await confirm(what, async () => '', context);
}

/** Asks before deleting on the service, which the question names. @throws {CliError} when declined or without a terminal */
export async function confirmDeletion(what: string, context: Context): Promise<void> {
  const where = async () => ` from ${await serviceName(context)}`;
  if (await confirm(what, where, context)) await (await context.client.connection()).beforeWrite?.(true);
}

/** Returns what prompts call the service. */
export async function serviceName({ client }: Context): Promise<string> {
  return describeConnection(await client.connection());
}
