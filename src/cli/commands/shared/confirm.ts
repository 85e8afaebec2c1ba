import { describeConnection } from '../../../client/connection.js';
import type { Context } from '../../command.js';
import { declinedError, usageError } from '../../lib/errors.js';

const NOTHING_DELETED = 'Nothing was deleted.';

export const asks = ({ prompts, settings }: Context): boolean => prompts.interactive && !settings.yes;

/** Asks before something is lost, unless `--yes` is given. Returns whether it did. @param act `Deleting reactor greet` */
async function confirm(
  act: string,
  question: () => Promise<string>,
  declined: string,
  { prompts, settings }: Context,
): Promise<boolean> {
  if (settings.yes) return false;
  if (!prompts.interactive) throw usageError(`${act} requires --yes when prompts are disabled.`);
  if (!(await prompts.confirm({ message: await question(), flag: '--yes' }))) throw declinedError(declined);
  return true;
}

const agreeToWrite = async ({ client }: Context) => (await client.connection()).beforeWrite?.(true);

export async function confirmLocalDeletion(what: string, context: Context): Promise<void> {
  await confirm(`Deleting ${what}`, async () => `Delete ${what} permanently?`, NOTHING_DELETED, context);
}

export async function confirmDeletion(what: string, context: Context): Promise<void> {
  const question = async () => `Delete ${what} permanently from ${await serviceName(context)}?`;
  if (await confirm(`Deleting ${what}`, question, NOTHING_DELETED, context)) await agreeToWrite(context);
}

export async function confirmRegeneration(application: string, context: Context): Promise<void> {
  const question = async () =>
    `Regenerate the key of ${application} on ${await serviceName(context)}? All its old keys stop working at once.`;
  const act = `Regenerating the key of ${application}`;
  if (await confirm(act, question, 'The key was not changed.', context)) await agreeToWrite(context);
}

/** Asks for a name before something that `--yes` is not enough for. @param given the value of `--confirm` */
export async function confirmByName(
  name: string,
  given: string | undefined,
  { question, required, mismatch }: { question: string; required: string; mismatch: string },
  context: Context,
): Promise<void> {
  const { prompts } = context;
  if (given === undefined && !prompts.interactive) throw usageError(required);
  const message = async () => `${question} ${await serviceName(context)}`;
  const typed = given ?? (await prompts.text({ flag: '--confirm=<name>', message: await message() }));
  if (typed !== name) throw usageError(mismatch);
  if (given === undefined) await agreeToWrite(context);
}

export async function serviceName({ client }: Context): Promise<string> {
  return describeConnection(await client.connection());
}
