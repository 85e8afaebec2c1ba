import type { Context } from '../command.js';
import { WHOLE_TENANT } from '../tenant-config/declaration/read-config.js';
import { type PlanFlags, runPlan } from './shared/tenant-config/plan.js';

export async function run(flags: PlanFlags, context: Context): Promise<void> {
  await runPlan(WHOLE_TENANT, flags, context, 'tokenctl apply');
}
