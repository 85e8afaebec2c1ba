import type { ApplicationType } from '../../../contract/permissions.js';
import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';
import { type AccessOptions, readAccess } from './access.js';
import { APPLICATION_VIEW } from './view.js';

export interface CreateOptions extends AccessOptions {
  name?: string | undefined;
  type?: string | undefined;
}

export async function run(options: CreateOptions, context: Context): Promise<void> {
  const { name, type } = options;
  if (name === undefined) throw usageError('--name is missing.');
  if (type === undefined) throw usageError('--type is missing.');
  const access = await readAccess(options, context);
  if (!access) throw usageError('--permission or --rules is missing.', 'See: tokenctl permission list');
  const body = { name, type: type as ApplicationType, ...access };
  await context.output.result(await context.client.call('applications.create', { body }), APPLICATION_VIEW);
  context.output.notice('Store the key now; it is shown only once.');
}
