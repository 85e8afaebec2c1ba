import { describeConnection } from '../../../client/connection.js';
import type { Context } from '../../command.js';
import { declinedError, usageError } from '../../lib/errors.js';

/** What cannot be undone, as messages say it. */
interface Loss {
  /** `Deleting reactor greet` */
  act: string;
  /** `Delete reactor greet permanently?` */
  question: () => Promise<string>;
  /** `Nothing was deleted.` */
  declined: string;
}

/**
 * Asks before something is lost, unless `--yes` is given.
 * @returns whether the user was asked
 * @throws {CliError} when that is declined or there is no terminal to ask on
 */
async function confirm({ act, question, declined }: Loss, { prompts, settings }: Context): Promise<boolean> {
  if (settings.yes) return false;
  if (!prompts.interactive) throw usageError(`${act} requires --yes when prompts are disabled.`);
  if (!(await prompts.confirm({ message: await question(), flag: '--yes' }))) throw declinedError(declined);
  return true;
}

/** @param where the place it is deleted from, if not clear from `what` */
const deletion = (what: string, where = async () => ''): Loss => ({
  act: `Deleting ${what}`,
  question: async () => `Delete ${what} permanently${await where()}?`,
  declined: 'Nothing was deleted.',
});

/** Asks before deleting something that is not on a service. @throws {CliError} when declined or without a terminal */
export async function confirmLocalDeletion(what: string, context: Context): Promise<void> {
  await confirm(deletion(what), context);
}

/** Asks before deleting on the service, which the question names. @throws {CliError} when declined or without a terminal */
export async function confirmDeletion(what: string, context: Context): Promise<void> {
  await confirmOnService(
    deletion(what, async () => ` from ${await serviceName(context)}`),
    context,
  );
}

/** Asks before all keys of an application are replaced. @throws {CliError} when declined or without a terminal */
export async function confirmRegeneration(application: string, context: Context): Promise<void> {
  const act = `Regenerating the key of ${application}`;
  const question = async () =>
    `Regenerate the key of ${application} on ${await serviceName(context)}? All its old keys stop working at once.`;
  await confirmOnService({ act, question, declined: 'The key was not changed.' }, context);
}

async function confirmOnService(loss: Loss, context: Context): Promise<void> {
  if (await confirm(loss, context)) await (await context.client.connection()).beforeWrite?.(true);
}

/**
 * Asks for a name before something that `--yes` is not enough for.
 * @param given the value of `--confirm`
 * @param question what the prompt says, without the service
 * @param required what is said without a terminal
 * @throws {CliError} when another name is given, or none without a terminal
 */
export async function confirmByName(
  name: string,
  given: string | undefined,
  { question, required, mismatch }: { question: string; required: string; mismatch: string },
  context: Context,
): Promise<void> {
  const { client, prompts } = context;
  if (given === undefined && !prompts.interactive) throw usageError(required);
  const message = async () => `${question} ${await serviceName(context)}`;
  const typed = given ?? (await prompts.text({ flag: '--confirm=<name>', message: await message() }));
  if (typed !== name) throw usageError(mismatch);
  if (given === undefined) await (await client.connection()).beforeWrite?.(true);
}

/** Returns what prompts call the service. */
export async function serviceName({ client }: Context): Promise<string> {
  return describeConnection(await client.connection());
}
