import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';
import { printItem } from '../shared/actor-names.js';
import { changeTenant, parseSettings } from './change.js';

interface TenantOptions {
  name?: string | undefined;
  set?: string[] | undefined;
}

export async function run({ name, set }: TenantOptions, context: Context): Promise<void> {
  if (name === undefined && !set) throw usageError('Nothing to update.', 'Give --name or --set key=value.');
  const settings = set && parseSettings(set, '--set');
  await printItem(await changeTenant({ name, settings }, context), { redaction: 'plain' }, context);
}
