import type { Context } from '../command.js';
import { usageError } from '../lib/errors.js';
import { WHOLE_TENANT } from '../tenant-config/declaration/read-config.js';
import { runApply, runApplyFile } from './shared/tenant-config/apply.js';
import type { ConfigFlags } from './shared/tenant-config/flags.js';

interface ApplyFlags extends ConfigFlags {
  plan: string | undefined;
}

export async function run({ plan, ...flags }: ApplyFlags, context: Context): Promise<void> {
  if (plan === undefined) return runApply(WHOLE_TENANT, flags, context);
  if (flags.prune)
    throw usageError('--prune cannot be combined with a plan file; it belongs to tokenctl plan.');
  return runApplyFile({ ...flags, plan }, context);
}
