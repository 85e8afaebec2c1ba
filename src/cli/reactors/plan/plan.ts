import type { Reactor } from '../../../contract/schemas/index.js';
import type { BuiltReactor, ReactorBuild } from '../build/build.js';
import { type Change, compareContent } from './changes.js';
import { type ReactorContent, toContent } from './content.js';
import { formatDiff } from './diff.js';
import type { Remote } from './remote.js';

interface PlanEntry {
  name: string;
  /** The code, relative to the working directory, with forward slashes. */
  file: string;
  inManifest: boolean;
  /** Time spent on building the reactor and reading the remote one. */
  durationMs: number;
}

/** A reactor to create or update, or one that needs no change. */
export interface PlannedReactor extends PlanEntry {
  action: 'create' | 'update' | 'unchanged';
  /** The reactor on the service; undefined if it is to be created. */
  before: Reactor | undefined;
  desired: ReactorContent;
  minified: boolean;
  changes: Change[];
  diff: string;
}

/** A reactor that could not be planned: its build or its lookup failed. */
export interface FailedReactor extends PlanEntry {
  action: 'fail';
  error: unknown;
}

/** A reactor to delete because the manifest no longer lists it. */
export interface PlannedDeletion {
  action: 'delete';
  before: Reactor;
}

/** Everything that a deployment will do, in order. */
export interface Plan {
  /** Base URL of the service. */
  target: string;
  reactors: (PlannedReactor | FailedReactor)[];
  /** Deleted last, and only if nothing failed before. */
  deletions: PlannedDeletion[];
  /** IDs of reactors that no longer exist, to remove from the lock file. */
  forget: readonly string[];
}

/** Completes a build with what the project leaves to the service. */
function resolveContent(
  { name, code, configuration, application }: BuiltReactor,
  before: ReactorContent | undefined,
  applicationIds: Remote['applications'],
): ReactorContent | { error: unknown } {
  const content = { name, code, configuration: configuration ?? before?.configuration ?? {} };
  if (application === undefined) return { ...content, application: before?.application ?? null };
  if (application === null) return { ...content, application };
  const id = applicationIds.get(application);
  return id?.ok ? { ...content, application: id.value } : { error: id?.error };
}

function planReactor(
  { outcome, name, file, inManifest }: ReactorBuild,
  remote: Remote,
): Plan['reactors'][number] {
  const entry = { name, file, inManifest, durationMs: outcome.durationMs };
  if (!outcome.ok) return { ...entry, action: 'fail', error: outcome.error };
  const found = remote.reactors.get(name);
  if (found) entry.durationMs += found.durationMs;
  if (!found?.ok) return { ...entry, action: 'fail', error: found?.error };
  const before = found.value && toContent(found.value);
  const desired = resolveContent(outcome.value, before, remote.applications);
  if ('error' in desired) return { ...entry, action: 'fail', error: desired.error };
  const changes = compareContent(before, desired);
  const update = changes.length > 0 ? 'update' : 'unchanged';
  return {
    ...entry,
    action: before ? update : 'create',
    before: found.value,
    desired,
    minified: outcome.value.minified,
    changes,
    diff: formatDiff(before, desired),
  };
}

/** Compares the builds with the service. */
export function assemblePlan(builds: readonly ReactorBuild[], remote: Remote): Plan {
  return {
    target: remote.target,
    reactors: builds.map((build) => planReactor(build, remote)),
    deletions: remote.orphans.map((before) => ({ action: 'delete', before })),
    forget: remote.gone,
  };
}
