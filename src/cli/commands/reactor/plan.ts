import { resolve } from 'node:path';
import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';
import { type PlannedReactor, planDeletion, writePlan } from '../../reactors/plan/plan.js';
import { findOrphans } from '../../reactors/plan/prune.js';
import { LockFile } from '../../reactors/project/lock-file.js';
import type { Selection } from '../../reactors/project/select.js';
import { renderPlan, shownPlan } from './shared/plan-view.js';
import { planAll } from './shared/planning.js';
import { type ProjectOptions, selectionOf } from './shared/project.js';

export interface PlanOptions extends ProjectOptions {
  out?: string | undefined;
  prune?: boolean | undefined;
}

async function planDeletions(
  { prune, file }: PlanOptions,
  { manifest }: Selection,
  { client }: Context,
): Promise<PlannedReactor[]> {
  if (!prune) return [];
  if (!manifest || file.length > 0)
    throw usageError('--prune works on the whole manifest: it needs one, and no files beside it.');
  const baseUrl = (await client.connection()).transport.url;
  const names = new Set(manifest.reactors.map(({ name }) => name));
  const { orphans } = await findOrphans(client, await LockFile.open(manifest.path), baseUrl, names);
  return Promise.all(orphans.map((orphan) => planDeletion(client, orphan)));
}

export async function run(options: PlanOptions, context: Context): Promise<void> {
  const { client, output, settings } = context;
  if (options.out === undefined) throw usageError('--out is missing: the file to write the plan to.');
  const selection = await selectionOf(options, context);
  const planned = await planAll(selection.entries, options, context);
  const reactors = [...planned, ...(await planDeletions(options, selection, context))];
  await writePlan(resolve(settings.cwd, options.out), {
    version: 1,
    target: (await client.connection()).transport.url,
    created_at: new Date().toISOString(),
    reactors,
  });
  await output.result(shownPlan(reactors), {
    redaction: 'plain',
    render: (shown: PlannedReactor[], style) => renderPlan(shown, style),
  });
  output.notice(`Written to ${options.out}. Carry it out: tokenctl reactor apply ${options.out}`);
}
