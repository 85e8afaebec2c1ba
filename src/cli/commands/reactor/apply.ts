import { resolve } from 'node:path';
import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';
import { applyPlan } from '../../reactors/apply/apply-plan.js';
import { readPlanFile } from '../../reactors/plan/plan-file.js';
import { readRemote } from '../../reactors/plan/remote.js';
import { createPlannedQuery, readPlannedBuilds, restorePlan } from '../../reactors/plan/restored-plan.js';
import { LockFile } from '../../reactors/project/lock-file.js';
import { findManifest } from '../../reactors/project/manifest.js';
import { displayPath } from '../../reactors/project/source-file.js';
import { confirmPlan } from './shared/confirm-plan.js';
import { reportDeployment } from './shared/deploy-view.js';
import { configurationSources, type ProjectFlags, parseConcurrency } from './shared/project-flags.js';

export interface ApplyFlags extends Pick<ProjectFlags, 'config' | 'envFile' | 'concurrency'> {
  plan: string;
}

export async function run(flags: ApplyFlags, context: Context): Promise<void> {
  const { client, settings, signal } = context;
  const { cwd } = settings;
  const concurrency = parseConcurrency(flags);
  const file = await readPlanFile(resolve(cwd, flags.plan));
  const { url } = (await client.connection()).transport;
  if (file.target !== url) throw usageError(`The plan is for ${file.target}, but the target is ${url}.`);
  const manifest = await findManifest(cwd);
  const lock = manifest && (await LockFile.open(manifest.path));

  const builds = await readPlannedBuilds(file, manifest, configurationSources(flags, context));
  const remote = await readRemote(client, createPlannedQuery(file), { concurrency, signal });
  const plan = restorePlan(file, builds, remote);
  await confirmPlan(plan, context);
  const results = applyPlan(plan, { client, lock, recheck: true, concurrency, signal });
  await reportDeployment(
    results,
    { target: url, manifest: manifest && displayPath(manifest.path, cwd), dryRun: false },
    context,
  );
}
