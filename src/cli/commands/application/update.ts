import { RESOURCES } from '../../../contract/resources.js';
import type { Application } from '../../../contract/schemas/index.js';
import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';
import { resolveId } from '../../lib/lookup.js';
import { viewOf } from '../resource/view.js';
import { printItem } from '../shared/actor-names.js';
import { type ConfirmOption, confirmOwnRestriction } from '../shared/lock-out.js';
import { type Access, type AccessOptions, readAccess } from './access.js';

interface UpdateOptions extends AccessOptions, ConfirmOption {
  application: string;
  name?: string | undefined;
}

/** The service replaces name and access together, so the one that is not given is read first. */
export async function run(options: UpdateOptions, context: Context): Promise<void> {
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
  await printItem(
    await client.call('applications.update', { path: { id }, body }),
    viewOf(RESOURCES.application),
    context,
  );
}

function accessOf(application: Application | undefined): Access {
  return application?.rules ? { rules: application.rules } : { permissions: application?.permissions ?? [] };
}
