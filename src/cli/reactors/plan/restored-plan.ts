import { CliError } from '../../lib/errors.js';
import type { ReactorBuild } from '../build/build.js';
import { type ConfigurationSources, resolveConfiguration } from '../project/configuration.js';
import type { Manifest } from '../project/manifest.js';
import { hashContent, toContent } from './content.js';
import { assemblePlan, type Plan, type PlannedDeletion } from './plan.js';
import type { PlanFile, PlannedRow } from './plan-file.js';
import type { Remote, RemoteQuery } from './remote.js';

/**
 * Restores the builds of the reactors that a plan creates or updates: the planned code, with configuration values from
 * their sources, which are not in the plan.
 * @throws {CliError} if the configuration of one cannot be read.
 */
export async function readPlannedBuilds(
  { reactors }: PlanFile,
  manifest: Manifest | undefined,
  sources: ConfigurationSources,
): Promise<ReactorBuild[]> {
  const written = reactors.filter(({ action }) => action === 'create' || action === 'update');
  return Promise.all(
    written.map(async ({ name, file = name, code = '', minified = false, application }) => {
      const listed = manifest?.reactors.find((entry) => entry.name === name);
      const configuration = await resolveConfiguration(listed ?? { name, code: file, external: [] }, sources);
      const value = { name, code, minified, configuration, application };
      return {
        name,
        file,
        inManifest: listed !== undefined,
        inputs: [],
        outcome: { ok: true, value, durationMs: 0 },
      };
    }),
  );
}

/** Lists what must be read to check that a plan is current. */
export function createPlannedQuery({ reactors }: PlanFile): RemoteQuery {
  return {
    reactors: reactors.map(({ name }) => name),
    applications: reactors.flatMap(({ application }) => application ?? []),
    pruneCandidates: [],
  };
}

/** Returns why a row no longer describes the service or the configuration; undefined if it still does. */
function conflictReason(
  { name, id, remote_hash, desired_hash }: PlannedRow,
  remote: Remote,
  planned: Plan['reactors'][number] | undefined,
): string | undefined {
  const found = remote.reactors.get(name);
  if (found && !found.ok) throw found.error;
  const current = found?.value;
  if ((current ? hashContent(toContent(current)) : null) !== remote_hash || current?.id !== id)
    return 'was changed on the service after the plan was created';
  if (planned?.action === 'fail') throw planned.error;
  return planned && hashContent(planned.desired) !== desired_hash
    ? 'has a different configuration than planned'
    : undefined;
}

/**
 * Restores a plan from its file and the current state of the service.
 * @throws {CliError} if it no longer fits; the error lists each affected reactor and the reason.
 */
export function restorePlan(file: PlanFile, builds: readonly ReactorBuild[], remote: Remote): Plan {
  const plan = assemblePlan(builds, remote);
  const byName = new Map(plan.reactors.map((planned) => [planned.name, planned]));
  const errors = file.reactors.flatMap((row) => {
    const reason = conflictReason(row, remote, byName.get(row.name));
    return reason ? [[row.name, [reason]]] : [];
  });
  if (errors.length > 0)
    throw new CliError('failed', 'The plan is out of date; nothing was changed.', {
      errors: Object.fromEntries(errors),
      hint: 'Create a new plan: tokenctl reactor plan. Pass the same --config and --env-file to plan and apply.',
    });
  const deletions = file.reactors.flatMap(({ action, name }): PlannedDeletion[] => {
    const found = remote.reactors.get(name);
    return action === 'delete' && found?.ok && found.value ? [{ action, before: found.value }] : [];
  });
  return { ...plan, deletions };
}
