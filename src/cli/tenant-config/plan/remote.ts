import type { Client } from '../../../client/client.js';
import { type Attempt, attempt } from '../../lib/attempt.js';
import type { Declared } from '../declaration/declare.js';
import type { LockedObject } from '../lock/lock-content.js';
import { fieldsOf, KINDS, type Kind, type Stored } from '../resources/content.js';
import { listNamed, listObjects } from '../resources/objects.js';

/** The part of the service's state that a plan compares with. */
export interface Remote {
  target: string;
  /** What the service has under the declared names, by kind. */
  found: Readonly<Record<Kind, Attempt<Stored[]>>>;
  /** Prune candidates that exist and still have the name that they were created with. */
  orphans: Stored[];
  /** IDs of prune candidates that no longer exist. */
  gone: string[];
}

/** An object that was renamed since has become someone else's and is neither an orphan nor gone. */
async function readOrphans(
  client: Client,
  candidates: readonly LockedObject[],
): Promise<Pick<Remote, 'orphans' | 'gone'>> {
  const kinds = [...new Set(candidates.map(({ kind }) => kind))];
  const stored = (await Promise.all(kinds.map((kind) => listObjects(client, kind)))).flat();
  const byId = new Map(stored.map((one) => [one.id, one]));
  return {
    orphans: candidates.flatMap(({ id, name }) => {
      const found = byId.get(id);
      return found?.content.name === name ? [found] : [];
    }),
    gone: candidates.filter(({ id }) => !byId.has(id)).map(({ id }) => id),
  };
}

/** Whether all applications must be read: some are declared, or other objects refer to them by name. */
function needsApplications(declared: readonly Declared[]): boolean {
  return declared.some(
    ({ kind, outcome }) =>
      kind === 'application' || (outcome.ok && typeof outcome.value.content.application === 'string'),
  );
}

/** Reads what the service has. That a kind cannot be read is part of the result. @param candidates objects that may be pruned */
export async function readRemote(
  client: Client,
  declared: readonly Declared[],
  candidates: readonly LockedObject[],
  signal: AbortSignal,
): Promise<Remote> {
  const target = (await client.connection()).transport.url;
  const namesOf = (kind: Kind) =>
    declared
      .filter((object) => object.kind === kind && object.outcome.ok)
      .flatMap(({ name, previousName }) => (previousName === undefined ? [name] : [name, previousName]));
  const applications = await attempt(signal, async () =>
    needsApplications(declared) ? await listObjects(client, 'application') : [],
  );
  const read = (kind: Kind) => {
    if (kind === 'application') return applications;
    // Without the applications, what an object refers to cannot be told.
    if (!applications.ok && fieldsOf(kind).some(([name]) => name === 'application')) return applications;
    return attempt(signal, async () => {
      // There is one tenant, whatever its name.
      if (kind === 'tenant') return namesOf(kind).length > 0 ? await listObjects(client, kind) : [];
      return listNamed(client, kind, new Set(namesOf(kind)));
    });
  };
  const pruning = await readOrphans(client, candidates);
  const found: [Kind, Attempt<Stored[]>][] = [];
  for (const kind of KINDS) found.push([kind, await read(kind)]);
  return { target, found: Object.fromEntries(found) as Remote['found'], ...pruning };
}
