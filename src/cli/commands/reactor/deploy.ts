import type { Context } from '../../command.js';
import { REACTORS_ONLY } from '../../tenant-config/declaration/read-config.js';
import { runDeploy } from '../shared/tenant-config/apply.js';
import { previewDeploy } from '../shared/tenant-config/plan.js';
import type { ProjectFlags } from './shared/project-flags.js';
import { readSmokeTest, type SmokeFlags } from './shared/smoke-flags.js';
import { runOnChange } from './shared/watch.js';

interface DeployFlags extends ProjectFlags, SmokeFlags {
  dryRun?: boolean | undefined;
  partial?: boolean | undefined;
  allowWeaken?: boolean | undefined;
  watch?: boolean | undefined;
}

async function deploy(flags: DeployFlags, context: Context, inputs: Set<string>): Promise<void> {
  const smoke = await readSmokeTest(flags, context);
  if (flags.dryRun) await previewDeploy(REACTORS_ONLY, flags, context, inputs);
  else await runDeploy(flags, { scope: REACTORS_ONLY, smoke, inputs }, context);
}

export async function run(flags: DeployFlags, context: Context): Promise<void> {
  if (flags.watch) await runOnChange((inputs) => deploy(flags, context, inputs), context);
  else await deploy(flags, context, new Set());
}
