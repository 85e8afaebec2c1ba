import type { Context } from '../command.js';
import { WHOLE_TENANT } from '../tenant-config/declaration/read-config.js';
import { type DiffFlags, runDiff } from './shared/tenant-config/plan.js';

export async function run(flags: DiffFlags, context: Context): Promise<void> {
  await runDiff(WHOLE_TENANT, flags, context, 'tokenctl apply');
}
