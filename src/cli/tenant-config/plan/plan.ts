import { unwrap } from '../../lib/attempt.js';
import { CliError } from '../../lib/errors.js';
import type { SmokeCase } from '../../manifest/schema.js';
import type { Declared, Draft } from '../declaration/declared.js';
import type { ApplicationChange, ApplicationChanges } from '../resources/access.js';
import { ADAPTERS } from '../resources/adapters.js';
import { ApplicationIds } from '../resources/application-ids.js';
import { type Contents, formatCount, type Kind, type Stored } from '../resources/content.js';
import { type Change, compareFields, formatChanges, hashFields } from '../resources/field.js';
import type { TenantIdentity } from '../tenant-identity.js';
import type { Remote } from './remote.js';

interface PlanEntry<K extends Kind> {
  kind: K;
  name: string;
  /** The code, relative to the working directory, with forward slashes. */
  file?: string | undefined;
  inManifest: boolean;
  /** Time spent on building the object and reading the stored one. */
  durationMs: number;
}

/** An object to create or update, or one that needs no change. */
export interface PlannedObject<K extends Kind = Kind> extends PlanEntry<K> {
  action: 'create' | 'update' | 'unchanged';
  /** What the service has; undefined if the object is to be created. */
  before: Stored<K> | undefined;
  desired: Contents[K];
  /** SHA-256 of what is desired, without the values of secrets. */
  hash: string;
  minified: boolean | undefined;
  changes: Change[];
  diff: string;
  /** How the change weakens security, one sentence each. */
  weakenings: string[];
  smoke: readonly SmokeCase[];
  references: Readonly<Record<string, string>>;
  /** What the report says about the object. */
  note: string | undefined;
}

/** An object that could not be planned. */
export interface FailedObject extends PlanEntry<Kind> {
  action: 'fail';
  /** The files are not valid; nothing may be applied unless the user asks for a part of it. */
  isLocal: boolean;
  error: unknown;
}

/** An object to delete because the manifest no longer declares it. */
export interface PlannedDeletion {
  action: 'delete';
  kind: Kind;
  name: string;
  before: Stored<Kind>;
}

/** Everything that an apply will do, in order. */
export interface Plan {
  /** Base URL of the service. */
  target: string;
  /** undefined if it was not asked for or is not known. */
  tenant?: TenantIdentity | undefined;
  objects: (PlannedObject | FailedObject)[];
  /** Deleted last, and only if nothing failed before. */
  deletions: PlannedDeletion[];
  /** IDs to remove from the lock file: they no longer exist, or are given up. */
  forgotten: readonly string[];
  /** Names and IDs of applications, to which the apply adds those that it creates. */
  ids: ApplicationIds;
}

/** Lists the stored objects with the name of a declared one, else those with its previous name. */
function findStored<K extends Kind>(
  { kind, name, previousName }: Pick<Declared<K>, 'kind' | 'name' | 'previousName'>,
  { found }: Remote,
): Stored<K>[] {
  const stored = unwrap<Stored<K>[]>(found[kind]);
  // There is one tenant, whatever its name.
  if (kind === 'tenant') return stored;
  const current = stored.filter(({ content }) => content.name === name);
  return current.length > 0 ? current : stored.filter(({ content }) => content.name === previousName);
}

/** @throws {CliError} if several objects have the name of a declared one; the error lists their IDs */
function assertUnique<K extends Kind>(kind: K, found: readonly Stored<K>[]): void {
  if (found.length <= 1) return;
  throw new CliError(
    'failed',
    `${formatCount(found.length, kind)} are named ${JSON.stringify(found[0]?.content.name)}: ${found.map(({ id }) => id).join(', ')}.`,
    { hint: `Rename or delete all but one: tokenctl ${kind} delete <id>` },
  );
}

/** Compares what is desired with what the service has. */
function compare<K extends Kind>(
  declared: Declared<K>,
  { complete, minified }: Draft<K>,
  stored: Stored<K> | undefined,
  ids: ApplicationIds,
): Omit<PlannedObject<K>, keyof PlanEntry<K>> {
  const adapter = ADAPTERS[declared.kind];
  const before = stored && adapter.normalize(stored.content, ids);
  const desired = complete(before, ids);
  const old = before && adapter.fields(before);
  const now = adapter.fields(desired);
  const isIdentity = ({ field }: Change) => !before && field === 'name';
  const changes = compareFields(old, now).filter((change) => !isIdentity(change));
  const update = changes.length > 0 ? 'update' : 'unchanged';
  return {
    action: before ? update : 'create',
    before: stored,
    desired,
    hash: hashFields(now),
    minified,
    changes,
    diff: formatChanges(declared.name, changes, old, now),
    // Filled in when all applications are planned.
    weakenings: [],
    smoke: declared.smoke ?? [],
    references: declared.references ?? {},
    note: declared.note,
  };
}

function planObject<K extends Kind>(
  declared: Declared<K>,
  remote: Remote,
  ids: ApplicationIds,
): PlannedObject<K> | FailedObject {
  const { kind, name, file, inManifest, outcome } = declared;
  const entry = { kind, name, file, inManifest, durationMs: outcome.durationMs };
  if (!outcome.ok) return { ...entry, action: 'fail', isLocal: true, error: outcome.error };
  entry.durationMs += remote.found[kind].durationMs;
  try {
    const stored = findStored(declared, remote);
    assertUnique(kind, stored);
    return { ...entry, ...compare(declared, outcome.value, stored[0], ids) };
  } catch (error) {
    return { ...entry, action: 'fail', isLocal: false, error };
  }
}

/** Collects the applications by name: those of the service, under their new names, and those to be created. */
function collectApplicationIds(declared: readonly Declared[], remote: Remote): ApplicationIds {
  const ids = new ApplicationIds();
  const applications = remote.found.application;
  if (!applications.ok) return ids;
  ids.addAll(applications.value);
  for (const object of declared) {
    if (object.kind !== 'application') continue;
    const [stored, ...others] = findStored(object, remote);
    if (others.length === 0) ids.add(object.name, stored?.id);
  }
  return ids;
}

/** Collects what the plan makes of each application, by what objects call it. */
function collectApplicationChanges(
  objects: Plan['objects'],
  { found }: Remote,
  ids: ApplicationIds,
): ApplicationChanges {
  const applications = found.application.ok ? found.application.value : [];
  const changes = new Map<string, ApplicationChange>(
    applications.map(({ id, content }) => [ids.toReference(id), { before: content, after: content }]),
  );
  for (const planned of objects)
    if (planned.action !== 'fail' && isPlanned('application', planned))
      changes.set(planned.name, { before: planned.before?.content, after: planned.desired });
  return changes;
}

const isPlanned = <K extends Kind>(kind: K, planned: PlannedObject): planned is PlannedObject<K> =>
  planned.kind === kind;

/** Judges how an object weakens security, now that the applications are known. */
function judge<K extends Kind>(
  planned: PlannedObject<K>,
  applications: ApplicationChanges,
  ids: ApplicationIds,
): PlannedObject<K> {
  if (planned.action === 'unchanged') return planned;
  const adapter = ADAPTERS[planned.kind];
  const before = planned.before && adapter.normalize(planned.before.content, ids);
  return { ...planned, weakenings: adapter.weakenings(before, planned.desired, applications) };
}

/** Compares the declared objects with the service. */
export function assemblePlan(declared: readonly Declared[], remote: Remote): Plan {
  const ids = collectApplicationIds(declared, remote);
  const objects = declared.map((object) => planObject(object, remote, ids));
  const applications = collectApplicationChanges(objects, remote, ids);
  return {
    target: remote.target,
    objects: objects.map((planned) =>
      planned.action === 'fail' ? planned : judge(planned, applications, ids),
    ),
    deletions: remote.orphans.map((before) => ({
      action: 'delete',
      kind: before.kind,
      name: before.content.name,
      before,
    })),
    forgotten: remote.gone,
    ids,
  };
}
