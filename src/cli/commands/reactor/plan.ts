import { resolve } from 'node:path';
import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';
import { buildReactors } from '../../reactors/build/build.js';
import { assemblePlan } from '../../reactors/plan/plan.js';
import { writePlanFile } from '../../reactors/plan/plan-file.js';
import { createRemoteQuery, readRemote } from '../../reactors/plan/remote.js';
import { LockFile } from '../../reactors/project/lock-file.js';
import { readProject } from '../../reactors/project/project.js';
import { assertComplete, printPlan } from './shared/plan-view.js';
import { type ProjectFlags, projectOptions } from './shared/project-flags.js';

export interface PlanFlags extends ProjectFlags {
  out?: string | undefined;
}

export async function run(flags: PlanFlags, context: Context): Promise<void> {
  const { client, output, settings, signal } = context;
  if (flags.out === undefined) throw usageError('--out is missing: the file to write the plan to.');
  const project = await readProject(projectOptions(flags, context));
  const lock = project.manifest && (await LockFile.open(project.manifest.path));
  const builds = await buildReactors(project, signal);
  const remote = await readRemote(client, createRemoteQuery(project, builds, lock), { ...project, signal });
  const plan = assemblePlan(builds, remote);
  assertComplete(plan, context);
  await writePlanFile(resolve(settings.cwd, flags.out), plan);
  await printPlan(plan, context);
  output.notice(`Wrote the plan to ${flags.out}. Apply it: tokenctl reactor apply ${flags.out}`);
}
