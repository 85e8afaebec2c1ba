import { ServiceError } from '../../../client/errors.js';
import { APPLICATION_TYPES, type ApplicationType } from '../../../contract/application-types.js';
import { LIMITS } from '../../../contract/limits.js';
import { RESOURCES } from '../../../contract/resources.js';
import type { Context } from '../../command.js';
import { CliError } from '../../lib/errors.js';
import { findIds } from '../../lib/lookup.js';
import { viewOf } from '../resource/view.js';
import { requireFlags } from '../shared/flag-values.js';
import { type Access, type ApplicationOptions, askPermissions, readAccess } from './access.js';
import { printWithKey } from './keys.js';

interface CreateOptions extends ApplicationOptions {
  allowDuplicateName?: boolean | undefined;
}

export async function run(options: CreateOptions, context: Context): Promise<void> {
  const access = await readAccess(options, context);
  const body = context.prompts.interactive
    ? await ask(options, access, context)
    : requireAll(options, access);
  if (!options.allowDuplicateName) await assertNewName(body.name, context);
  const application = await context.client.call('applications.create', { body });
  await printWithKey(
    application,
    'Store the key now; it is shown only once.',
    viewOf(RESOURCES.application),
    context,
  );
}

/**
 * Commands refer to applications by name, so the CLI creates no second one of the same name unasked; the service would.
 * @throws {CliError} when there is one
 */
async function assertNewName(name: string, { client }: Context): Promise<void> {
  const ids = await findIds(client, 'application', name).catch((error) => {
    // A key that may only create is not allowed to look.
    if (error instanceof ServiceError && error.status === 403) return [];
    throw error;
  });
  if (ids.length > 0)
    throw new CliError(
      'failed',
      `There is already an application named ${JSON.stringify(name)}: ${ids.join(', ')}. Nothing was created.`,
      { hint: 'Choose another name, or add --allow-duplicate-name.' },
    );
}

/** @throws {CliError} that names all flags that are missing */
function requireAll({ name, type }: CreateOptions, access: Access | undefined) {
  const ACCESS = '--permission or --rules';
  const given = requireFlags(
    { '--name': name, '--type': type, [ACCESS]: access },
    access === undefined ? 'See: tokenctl permission list' : undefined,
  );
  return { name: given['--name'], type: given['--type'] as ApplicationType, ...(given[ACCESS] as Access) };
}

/** Prompts for what the flags do not say. */
async function ask(options: CreateOptions, access: Access | undefined, { prompts }: Context) {
  const name =
    options.name ?? (await prompts.text({ flag: '--name', message: 'Name', validate: validateName }));
  const type = (options.type ??
    (await prompts.select({
      flag: '--type',
      message: 'Type',
      choices: APPLICATION_TYPES.map((value) => ({ name: value, value })),
    }))) as ApplicationType;
  return { name, type, ...(access ?? (await askPermissions(type, prompts))) };
}

function validateName(name: string): true | string {
  if (name.trim() === '') return 'A name is required.';
  return name.length <= LIMITS.nameCharacters || `At most ${LIMITS.nameCharacters} characters are accepted.`;
}
