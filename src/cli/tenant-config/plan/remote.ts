import type { Client } from '../../../client/client.js';
import { type Attempt, attempt } from '../../lib/attempt.js';
import type { Declared } from '../declaration/declare.js';
import type { LockedObject } from '../lock/lock-content.js';
import type { Kind, Stored } from '../resources/content.js';
import { listNamed, listObjects } from '../resources/objects.js';

/** The part of the service's state that a plan compares with. */
export interface Remote {
  /** Base URL of the service. */
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

/**
 * Reads what the service has of the declared objects. That a kind cannot be read is part of the result.
 * @param candidates objects that may be pruned
 * @throws if the service cannot be reached or prune candidates cannot be read
 */
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
  const read = (kind: Kind) => attempt(signal, () => listNamed(client, kind, new Set(namesOf(kind))));
  const pruning = await readOrphans(client, candidates);
  const application = await attempt(signal, async () =>
    needsApplications(declared) ? await listObjects(client, 'application') : [],
  );
  return {
    target,
    found: {
      application,
      // Without the applications, what an object refers to cannot be told.
      reactor: application.ok ? await read('reactor') : application,
      proxy: application.ok ? await read('proxy') : application,
      webhook: await read('webhook'),
      // There is one tenant, whatever its name.
      tenant: await attempt(signal, async () =>
        namesOf('tenant').length > 0 ? await listObjects(client, 'tenant') : [],
      ),
    },
    ...pruning,
  };
}
