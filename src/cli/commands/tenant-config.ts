import type { Context } from '../command.js';
import { usageError } from '../lib/errors.js';
import { WHOLE_TENANT } from '../tenant-config/declaration/read-config.js';
import { runApply, runApplyFile } from './shared/tenant-config/apply.js';
import type { ConfigFlags } from './shared/tenant-config/flags.js';
import { type DiffFlags, type PlanFlags, runDiff, runPlan } from './shared/tenant-config/plan.js';

export async function plan(flags: PlanFlags, context: Context): Promise<void> {
  await runPlan(WHOLE_TENANT, flags, context, 'tokenctl apply');
}

interface ApplyFlags extends ConfigFlags {
  plan: string | undefined;
}

export async function apply({ plan, ...flags }: ApplyFlags, context: Context): Promise<void> {
  if (plan === undefined) return runApply(WHOLE_TENANT, flags, context);
  if (flags.prune)
    throw usageError('--prune cannot be combined with a plan file; it belongs to tokenctl plan.');
  return runApplyFile({ ...flags, plan }, context);
}

export async function diff(flags: DiffFlags, context: Context): Promise<void> {
  await runDiff(WHOLE_TENANT, flags, context, 'tokenctl apply');
}
