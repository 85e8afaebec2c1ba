import * as z from 'zod';
import { fieldErrors } from '../../../contract/validation.js';
import { writeFileAtomically } from '../../lib/atomic-write.js';
import { CliError, usageError } from '../../lib/errors.js';
import type { ReactorBuild } from '../build/build.js';
import { type ConfigurationSources, resolveConfiguration } from '../project/configuration.js';
import type { Manifest } from '../project/manifest.js';
import { readText } from '../project/source-file.js';
import { hashContent, toContent } from './content.js';
import { assemblePlan, type Plan, type PlannedDeletion, type PlannedReactor } from './plan.js';
import type { Remote, RemoteQuery } from './remote.js';

const change = z.object({ field: z.string(), change: z.enum(['added', 'changed', 'removed']) });

const plannedRow = z.object({
  name: z.string(),
  action: z.enum(['create', 'update', 'unchanged', 'delete']),
  /** The ID on the service; absent if the reactor is to be created. */
  id: z.string().optional(),
  /** Relative to the working directory. */
  file: z.string().optional(),
  /** Hash of the content on the service when the plan was created; null for none. */
  remote_hash: z.string().nullable(),
  /** Hash of the planned content, including the configuration values that are not in the plan; null for none. */
  desired_hash: z.string().nullable(),
  code: z.string().optional(),
  minified: z.boolean().optional(),
  application: z.string().nullable().optional(),
  changes: z.array(change),
  diff: z.string(),
});

const planFile = z.object({
  version: z.literal(1),
  /** Base URL of the service. */
  target: z.string(),
  created_at: z.string(),
  reactors: z.array(plannedRow),
});

/** A reactor of a plan file. */
export type PlannedRow = z.infer<typeof plannedRow>;

/** A plan on disk, for review. It contains the code, but of the configuration only a hash. */
export type PlanFile = z.infer<typeof planFile>;

function toRow({ name, action, file, before, desired, minified, changes, diff }: PlannedReactor): PlannedRow {
  return {
    name,
    action,
    id: before?.id,
    file,
    remote_hash: before ? hashContent(toContent(before)) : null,
    desired_hash: hashContent(desired),
    code: desired.code,
    minified,
    application: desired.application,
    changes,
    diff,
  };
}

/** Converts a plan to the rows of its file. Reactors that could not be planned are omitted. */
export function toRows({ reactors, deletions }: Plan): PlannedRow[] {
  return [
    ...reactors.flatMap((planned) => (planned.action === 'fail' ? [] : [toRow(planned)])),
    ...deletions.map(
      ({ before }): PlannedRow => ({
        name: before.name,
        action: 'delete',
        id: before.id,
        remote_hash: hashContent(toContent(before)),
        desired_hash: null,
        changes: [],
        diff: '',
      }),
    ),
  ];
}

/** Writes a plan, readable by its owner only. */
export async function writePlanFile(path: string, plan: Plan): Promise<void> {
  const created_at = new Date().toISOString();
  const content: PlanFile = { version: 1, target: plan.target, created_at, reactors: toRows(plan) };
  await writeFileAtomically(path, `${JSON.stringify(content, null, 2)}\n`);
}

/** Reads a plan. @throws {CliError} if the file is not a valid plan. */
export async function readPlanFile(path: string): Promise<PlanFile> {
  const text = await readText(path, 'The plan');
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw usageError(`${path} is not JSON.`, `Create a plan: tokenctl reactor plan --out ${path}`);
  }
  const parsed = planFile.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new CliError('usage', `${path} is not a valid plan.`, { errors: fieldErrors(parsed.error) });
}

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
