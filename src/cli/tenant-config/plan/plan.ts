import { unwrap } from '../../lib/attempt.js';
import { CliError } from '../../lib/errors.js';
import { completeContent } from '../declaration/complete.js';
import type { Declared } from '../declaration/declare.js';
import { type ApplicationChange, type ApplicationChanges, describeWeakenings } from '../resources/access.js';
import { ApplicationIds } from '../resources/application-ids.js';
import { type Content, formatCount, type Kind, type Stored } from '../resources/content.js';
import { type Change, compareFields, formatChanges, hashFields, listFields } from '../resources/field.js';
import type { TenantIdentity } from '../tenant-identity.js';
import type { Remote } from './remote.js';

interface PlanEntry extends Omit<Declared, 'outcome'> {
  /** Time spent on building the object and reading the stored one. */
  durationMs: number;
}

export interface PlannedObject extends PlanEntry {
  action: 'create' | 'update' | 'unchanged';
  /** What the service has; undefined if the object is to be created. */
  before: Stored | undefined;
  desired: Content;
  /** SHA-256 of what is desired, without the values of secrets. */
  hash: string;
  minified: boolean | undefined;
  changes: Change[];
  diff: string;
  weakenings: string[];
}

export interface FailedObject extends PlanEntry {
  action: 'fail';
  /** The files are not valid; nothing may be applied unless the user asks for a part of it. */
  isLocal: boolean;
  error: unknown;
}

export interface PlannedDeletion {
  action: 'delete';
  kind: Kind;
  name: string;
  before: Stored;
}

/** Everything that an apply will do, in order. */
export interface Plan {
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
function findStored({ kind, name, previousName }: Omit<Declared, 'outcome'>, { found }: Remote): Stored[] {
  const stored = unwrap(found[kind]);
  // There is one tenant, whatever its name.
  if (kind === 'tenant') return stored;
  const current = stored.filter(({ content }) => content.name === name);
  return current.length > 0 ? current : stored.filter(({ content }) => content.name === previousName);
}

function assertUnique(kind: Kind, found: readonly Stored[]): void {
  if (found.length <= 1) return;
  throw new CliError(
    'failed',
    `${formatCount(found.length, kind)} are named ${JSON.stringify(found[0]?.content.name)}: ${found.map(({ id }) => id).join(', ')}.`,
    { hint: `Rename or delete all but one: tokenctl ${kind} delete <id>` },
  );
}

function compare(kind: Kind, name: string, before: Stored | undefined, desired: Content) {
  const old = before && listFields(kind, before.content);
  const now = listFields(kind, desired);
  const isIdentity = ({ field }: Change) => !before && field === 'name';
  const changes = compareFields(old, now).filter((change) => !isIdentity(change));
  const update = changes.length > 0 ? ('update' as const) : ('unchanged' as const);
  return {
    action: before ? update : ('create' as const),
    before,
    desired,
    hash: hashFields(now),
    changes,
    diff: formatChanges(name, changes, old, now),
  };
}

function planObject(
  { outcome, ...declared }: Declared,
  remote: Remote,
  ids: ApplicationIds,
): PlannedObject | FailedObject {
  const { kind, name } = declared;
  const entry = { ...declared, durationMs: outcome.durationMs };
  if (!outcome.ok) return { ...entry, action: 'fail', isLocal: true, error: outcome.error };
  entry.durationMs += remote.found[kind].durationMs;
  try {
    const stored = findStored(declared, remote);
    assertUnique(kind, stored);
    const before = stored[0] && ids.withName(stored[0]);
    const { content, minified } = outcome.value;
    const desired = completeContent(kind, content, before?.content, ids);
    // Weakenings are found when all applications are planned.
    return { ...entry, ...compare(kind, name, before, desired), minified, weakenings: [] };
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
    if (planned.action !== 'fail' && planned.kind === 'application')
      changes.set(planned.name, { before: planned.before?.content, after: planned.desired });
  return changes;
}

export function assemblePlan(declared: readonly Declared[], remote: Remote): Plan {
  const ids = collectApplicationIds(declared, remote);
  const objects = declared.map((object) => planObject(object, remote, ids));
  const applications = collectApplicationChanges(objects, remote, ids);
  for (const planned of objects)
    if (planned.action === 'create' || planned.action === 'update')
      planned.weakenings = describeWeakenings(planned.before?.content, planned.desired, applications);
  return {
    target: remote.target,
    objects,
    deletions: remote.orphans.map((before) => ({
      action: 'delete',
      kind: before.kind,
      name: before.content.name,
      before: ids.withName(before),
    })),
    forgotten: remote.gone,
    ids,
  };
}
