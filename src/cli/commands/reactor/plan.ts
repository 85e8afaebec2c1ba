import type { Context } from '../../command.js';
import { REACTORS_ONLY } from '../../tenant-config/declaration/read-config.js';
import { type PlanFlags, runPlan } from '../shared/tenant-config/plan.js';

export async function run(flags: PlanFlags, context: Context): Promise<void> {
  await runPlan(REACTORS_ONLY, flags, context, 'tokenctl reactor apply');
}
