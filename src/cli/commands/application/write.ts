import { APPLICATION_TYPES, type ApplicationType } from '../../../contract/application-types.js';
import { LIMITS } from '../../../contract/limits.js';
import { PERMISSIONS, type Permission, permissionsOfType } from '../../../contract/permissions.js';
import { RESOURCES } from '../../../contract/resources.js';
import type { AccessRule, Application } from '../../../contract/schemas/index.js';
import type { Context } from '../../command.js';
import type { Options } from '../../flags/flag.js';
import { CliError, usageError } from '../../lib/errors.js';
import { unlessStatus } from '../../lib/key-owner.js';
import { findIds, resolveId } from '../../lib/lookup.js';
import { readBody } from '../resource/body.js';
import { viewOf } from '../resource/view.js';
import { removeEach } from '../resource/write.js';
import { describeReferences } from '../shared/batch.js';
import { confirmDeletion, confirmRegeneration } from '../shared/confirm.js';
import { printWritten } from '../shared/entity-names.js';
import { oneOf, requireFlags } from '../shared/flag-values.js';
import {
  type ConfirmOption,
  confirmApplicationDeletion,
  confirmOwnRegeneration,
  confirmOwnRestriction,
} from '../shared/lock-out.js';
import { printWithKey } from './keys.js';

type ApplicationOptions = Options<'name' | 'type' | 'rules'> & Options<'permission', string[]>;

const VIEW = viewOf(RESOURCES.application);

type Access = { permissions: Permission[] } | { rules: AccessRule[] };

async function readAccess(
  { type, permission, rules }: ApplicationOptions,
  context: Context,
): Promise<Access | undefined> {
  oneOf(APPLICATION_TYPES, type, '--type');
  if (permission && rules !== undefined)
    throw usageError(
      '--permission and --rules cannot be used together. An application has either permissions or rules.',
    );
  if (!permission && rules === undefined) return undefined;
  return (await readBody(RESOURCES.application, { permission, rules }, context)) as Access;
}

type CreateOptions = ApplicationOptions & Options<'allowDuplicateName', boolean>;

export async function createApplication(options: CreateOptions, context: Context): Promise<void> {
  const access = await readAccess(options, context);
  const body = context.prompts.interactive
    ? await ask(options, access, context)
    : requireAll(options, access);
  if (!options.allowDuplicateName) await assertNewName(body.name, context);
  const application = await context.client.call('applications.create', { body });
  await printWithKey(application, 'Store the key now; it is shown only once.', VIEW, context);
}

/** Commands refer to applications by name, so the CLI creates no second one of a name unasked; the service would. */
async function assertNewName(name: string, { client }: Context): Promise<void> {
  // A key that may only create is not allowed to look.
  const ids = (await unlessStatus([403], findIds(client, 'application', name))) ?? [];
  if (ids.length > 0)
    throw new CliError(
      'failed',
      `There is already an application named ${JSON.stringify(name)}: ${ids.join(', ')}. Nothing was created.`,
      { hint: 'Choose another name, or add --allow-duplicate-name.' },
    );
}

function requireAll({ name, type }: CreateOptions, access: Access | undefined) {
  const ACCESS = '--permission or --rules';
  const given = requireFlags(
    { '--name': name, '--type': type, [ACCESS]: access },
    access === undefined ? 'See: tokenctl permission list' : undefined,
  );
  return { name: given['--name'], type: given['--type'] as ApplicationType, ...(given[ACCESS] as Access) };
}

async function ask(options: CreateOptions, access: Access | undefined, { prompts }: Context) {
  const name =
    options.name ?? (await prompts.text({ flag: '--name', message: 'Name', validate: validateName }));
  const type = (options.type ??
    (await prompts.select({
      flag: '--type',
      message: 'Type',
      choices: APPLICATION_TYPES.map((value) => ({ name: value, value })),
    }))) as ApplicationType;
  if (access) return { name, type, ...access };
  const permissions = await prompts.selectSeveral({
    flag: '--permission or --rules',
    message: 'Permissions (for access by container, use --rules)',
    choices: permissionsOfType(type).map((permission) => ({
      name: permission,
      value: permission,
      description: PERMISSIONS[permission].allows,
    })),
  });
  return { name, type, permissions };
}

function validateName(name: string): true | string {
  if (name.trim() === '') return 'A name is required.';
  return name.length <= LIMITS.nameCharacters || `At most ${LIMITS.nameCharacters} characters are accepted.`;
}

/** The service replaces name and access together, so the one that is not given is read first. */
export async function updateApplication(
  options: ApplicationOptions & ConfirmOption & { application: string },
  context: Context,
): Promise<void> {
  const { client } = context;
  const { name } = options;
  const access = await readAccess(options, context);
  if (name === undefined && !access)
    throw usageError('Nothing to update.', 'Give --name, --permission or --rules.');
  const id = await resolveId(client, 'application', options.application);
  const current =
    name === undefined || !access ? await client.call('applications.get', { path: { id } }) : undefined;
  if (access) await confirmOwnRestriction(id, access, options.confirm, context);
  const body = { name: name ?? current?.name ?? '', ...(access ?? accessOf(current)) };
  const updated = await client.call('applications.update', { path: { id }, body });
  await printWritten(updated, 'application', VIEW, context);
}

function accessOf(application: Application | undefined): Access {
  return application?.rules ? { rules: application.rules } : { permissions: application?.permissions ?? [] };
}

/** Deletes applications. One that the command needs itself takes its name as confirmation. */
export async function deleteApplications(
  { application: references, confirm }: ConfirmOption & { application: string[] },
  context: Context,
): Promise<void> {
  const ids = new Map<string, string>();
  for (const reference of references) {
    // What cannot be resolved fails when it is deleted, without stopping the others.
    const id = await resolveId(context.client, 'application', reference).catch(() => undefined);
    if (id !== undefined) ids.set(reference, id);
  }
  const confirmed = await confirmApplicationDeletion([...ids.values()], confirm, context);
  if (confirmed < references.length)
    await confirmDeletion(describeReferences(RESOURCES.application, references), context);
  await removeEach(RESOURCES.application, references, context, ids);
}

export async function regenerateKey(
  { application, confirm }: ConfirmOption & { application: string },
  context: Context,
): Promise<void> {
  const { client } = context;
  const id = await resolveId(client, 'application', application);
  if (!(await confirmOwnRegeneration(id, confirm, context))) await confirmRegeneration(application, context);
  await printWithKey(
    await client.call('applications.regenerate', { path: { id } }),
    'The old keys no longer work. Store the new key now; it is shown only once.',
    VIEW,
    context,
  );
}
