import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';
import { applyPlan } from '../../reactors/apply/apply-plan.js';
import { previewPlan } from '../../reactors/apply/preview.js';
import { buildReactors } from '../../reactors/build/build.js';
import { assemblePlan } from '../../reactors/plan/plan.js';
import { createRemoteQuery, readRemote } from '../../reactors/plan/remote.js';
import { LockFile } from '../../reactors/project/lock-file.js';
import { readProject } from '../../reactors/project/project.js';
import { displayPath } from '../../reactors/project/source-file.js';
import { confirmPlan } from './shared/confirm-plan.js';
import { reportDeployment } from './shared/deploy-view.js';
import { type ProjectFlags, projectOptions } from './shared/project-flags.js';
import { readSmokeTest, type SmokeFlags } from './shared/smoke-flags.js';
import { runOnChange } from './shared/watch.js';

export interface DeployFlags extends ProjectFlags, SmokeFlags {
  dryRun?: boolean | undefined;
  watch?: boolean | undefined;
}

async function deploy(flags: DeployFlags, context: Context, inputs: Set<string>): Promise<void> {
  const { client, signal } = context;
  const { dryRun = false } = flags;
  const project = await readProject(projectOptions(flags, context));
  const { manifest, concurrency } = project;
  if (manifest) inputs.add(manifest.path);
  const lock = manifest && (await LockFile.open(manifest.path));
  const smoke = await readSmokeTest(flags, context);
  if (smoke && project.reactors.length > 1) throw usageError('--smoke tests one reactor; name its file.');

  const builds = await buildReactors(project, signal);
  for (const path of builds.flatMap((build) => build.inputs)) inputs.add(path);
  const remote = await readRemote(client, createRemoteQuery(project, builds, lock), { concurrency, signal });
  const plan = assemblePlan(builds, remote);
  if (!dryRun) await confirmPlan(plan, context);
  const results = dryRun
    ? previewPlan(plan)
    : applyPlan(plan, { client, lock, smoke, recheck: false, concurrency, signal });
  const path = manifest && displayPath(manifest.path, project.cwd);
  await reportDeployment(results, { target: plan.target, manifest: path, dryRun }, context);
}

export async function run(flags: DeployFlags, context: Context): Promise<void> {
  if (flags.watch) await runOnChange((inputs) => deploy(flags, context, inputs), context);
  else await deploy(flags, context, new Set());
}
