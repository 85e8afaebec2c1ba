import type { Context } from '../../command.js';
import { CliError } from '../../lib/errors.js';
import { buildReactors } from '../../reactors/build/build.js';
import { assemblePlan } from '../../reactors/plan/plan.js';
import { createRemoteQuery, readRemote } from '../../reactors/plan/remote.js';
import { readProject } from '../../reactors/project/project.js';
import { assertComplete, printPlan } from './shared/plan-view.js';
import { type ProjectFlags, projectOptions } from './shared/project-flags.js';

export interface DiffFlags extends ProjectFlags {
  exitCode?: boolean | undefined;
}

export async function run(flags: DiffFlags, context: Context): Promise<void> {
  const { client, signal } = context;
  const project = await readProject(projectOptions(flags, context));
  const builds = await buildReactors(project, signal);
  const remote = await readRemote(client, createRemoteQuery(project, builds), { ...project, signal });
  const plan = assemblePlan(builds, remote);
  assertComplete(plan, context);
  await printPlan(plan, context);
  const { reactors } = plan;
  const different = reactors.filter(({ action }) => action !== 'unchanged');
  if (flags.exitCode && different.length > 0)
    throw new CliError('difference', `${different.length} of ${reactors.length} reactors differ.`, {
      hint: 'Deploy them: tokenctl reactor deploy',
    });
}
