import { RESOURCES } from '../../../contract/resources.js';
import type { Application } from '../../../contract/schemas/index.js';
import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';
import { resolveId } from '../../lib/lookup.js';
import { removeEach } from '../resource/delete.js';
import { viewOf } from '../resource/view.js';
import { describeReferences } from '../shared/batch.js';
import { confirmDeletion, confirmRegeneration } from '../shared/confirm.js';
import { printWritten } from '../shared/entity-names.js';
import {
  type ConfirmOption,
  confirmApplicationDeletion,
  confirmOwnRegeneration,
  confirmOwnRestriction,
} from '../shared/lock-out.js';
import { type Access, type ApplicationOptions, readAccess } from './access.js';
import { printWithKey } from './keys.js';

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
  await printWritten(updated, 'application', viewOf(RESOURCES.application), context);
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
    viewOf(RESOURCES.application),
    context,
  );
}
