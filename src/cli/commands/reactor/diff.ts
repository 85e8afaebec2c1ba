import type { Context } from '../../command.js';
import { REACTORS_ONLY } from '../../tenant-config/declaration/read-config.js';
import { type DiffFlags, runDiff } from '../shared/tenant-config/plan.js';

export async function run(flags: DiffFlags, context: Context): Promise<void> {
  await runDiff(REACTORS_ONLY, flags, context, 'tokenctl reactor deploy');
}
