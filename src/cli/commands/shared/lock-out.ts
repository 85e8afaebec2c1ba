import type { Permission } from '../../../contract/permissions.js';
import type { Application } from '../../../contract/schemas/index.js';
import type { Context } from '../../command.js';
import type { Options } from '../../flags/flag.js';
import { permissionsOf, REFUSALS, readKeyOwner, unlessStatus } from '../../lib/key-owner.js';
import { readApplications } from '../../lib/lookup.js';
import { confirmByName } from './confirm.js';

/** The flag of commands that can take away the access that they run with. */
export type ConfirmOption = Options<'confirm'>;

type Access = Pick<Application, 'permissions' | 'rules'>;

/** Permissions of those who can give a locked-out application its access back. */
const MANAGING = ['application:create', 'application:update'] as const;

/** Asks for the name of each application that the command itself or the management of others needs. Returns their number. */
export async function confirmApplicationDeletion(
  ids: readonly string[],
  confirm: string | undefined,
  context: Context,
): Promise<number> {
  const own = await ownApplication('application:delete', context);
  const lastManagers = await lastManagersAmong(ids, context);
  const losing = new Map(lastManagers.map(({ id, name }) => [id, name]));
  if (own && ids.includes(own.id)) losing.set(own.id, own.name);
  for (const [id, name] of losing) {
    const losses = [
      ...(id === own?.id ? ['this command uses its key, which stops working at once'] : []),
      ...(lastManagers.some((one) => one.id === id)
        ? ['no other application may create or change applications']
        : []),
    ];
    await ask(`delete application ${name}`, name, losses.join(', and '), confirm, context);
  }
  return losing.size;
}

export async function confirmOwnRegeneration(
  id: string,
  confirm: string | undefined,
  context: Context,
): Promise<boolean> {
  const own = await ownApplication('application:update', context);
  if (own?.id !== id) return false;
  const loss = 'this command uses one of its keys, which all stop working at once';
  await ask(`regenerate the key of ${own.name}`, own.name, loss, confirm, context);
  return true;
}

/** Asks before the key that the command itself uses ends. @param when it does @returns whether it did */
export async function confirmOwnKeyEnd(
  { id, key_id }: { id: string; key_id: string },
  confirm: string | undefined,
  context: Context,
  when = 'at once',
): Promise<boolean> {
  const own = await ownApplication('application:update', context);
  // A service that does not report which key is used has to be believed capable of it.
  if (own?.id !== id || (own.key_id ?? key_id) !== key_id) return false;
  const loss = `this command uses it, and it stops working ${when}`;
  await ask(`end the key ${key_id} of ${own.name}`, own.name, loss, confirm, context);
  return true;
}

/** Asks before the application of the command itself loses permissions, by default those to manage applications. */
export async function confirmOwnRestriction(
  id: string,
  access: Access,
  confirm: string | undefined,
  context: Context,
  watched: readonly Permission[] = MANAGING,
): Promise<void> {
  const own = await ownApplication('application:update', context);
  if (own?.id !== id) return;
  const [before, after] = [permissionsOf(own), permissionsOf(access)];
  const lost = watched.filter((permission) => before.has(permission) && !after.has(permission));
  if (lost.length === 0) return;
  const loss = `this command uses its key, which then lacks ${lost.join(' and ')}`;
  await ask(`change the access of ${own.name}`, own.name, loss, confirm, context);
}

async function ask(
  act: string,
  name: string,
  loss: string,
  confirm: string | undefined,
  context: Context,
): Promise<void> {
  const texts = {
    question: `To ${act}, type the name of the application (${name}): ${loss}. Service:`,
    required: `To ${act}, give --confirm=${name}; --yes is not enough: ${loss}.`,
    mismatch: `--confirm does not match the name of the application. Nothing was changed.`,
  };
  await confirmByName(name, confirm, texts, context);
}

/** Returns the application whose key the command uses for a permission, with the id of the key; undefined if the service does not say. */
export const ownApplication = (permission: Permission, { client }: Context) =>
  unlessStatus(REFUSALS, readKeyOwner(client, permission));

async function lastManagersAmong(ids: readonly string[], { client }: Context): Promise<Application[]> {
  const applications = (await unlessStatus(REFUSALS, readApplications(client))) ?? [];
  const managers = applications.filter((application) => {
    const held = permissionsOf(application);
    return MANAGING.some((permission) => held.has(permission));
  });
  return managers.every(({ id }) => ids.includes(id)) ? managers : [];
}
