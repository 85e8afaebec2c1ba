import pLimit from 'p-limit';
import type { Client } from '../../../client/client.js';
import { ServiceError } from '../../../client/errors.js';
import type { Reactor } from '../../../contract/schemas/index.js';
import { type Attempt, attempt } from '../../lib/attempt.js';
import { findReactor, resolveApplicationId } from '../../lib/lookup.js';
import type { ReactorBuild } from '../build/build.js';
import type { CreatedReactor, LockFile } from '../project/lock-file.js';
import { listPruneCandidates, type Project } from '../project/project.js';

/** What to read from the service. */
export interface RemoteQuery {
  /** Names of reactors. */
  reactors: readonly string[];
  /** IDs or names of applications. */
  applications: readonly string[];
  /** Reactors that may be pruned, on any service. */
  pruneCandidates: readonly CreatedReactor[];
}

/** The part of the service's state that a plan compares with. */
export interface Remote {
  /** Base URL of the service. */
  target: string;
  /** By name; the value is undefined if the service has no such reactor. */
  reactors: ReadonlyMap<string, Attempt<Reactor | undefined>>;
  /** IDs by the ID or name that was asked for. */
  applications: ReadonlyMap<string, Attempt<string>>;
  /** Prune candidates that exist and still have the name that they were created with. */
  orphans: Reactor[];
  /** IDs of prune candidates that no longer exist. */
  gone: string[];
}

/**
 * Lists what must be read to plan the deployment of these builds.
 * @param lock Without it, nothing is pruned.
 */
export function createRemoteQuery(
  project: Project,
  builds: readonly ReactorBuild[],
  lock?: LockFile | undefined,
): RemoteQuery {
  const built = builds.flatMap(({ outcome }) => (outcome.ok ? [outcome.value] : []));
  return {
    reactors: built.map(({ name }) => name),
    applications: built.flatMap(({ application }) => application ?? []),
    pruneCandidates: listPruneCandidates(project, lock),
  };
}

async function getReactor(client: Client, id: string): Promise<Reactor | undefined> {
  try {
    return await client.call('reactors.get', { path: { id } });
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return undefined;
    throw error;
  }
}

/** A reactor that was renamed since has become someone else's and is neither an orphan nor gone. */
async function readOrphans(
  client: Client,
  candidates: readonly CreatedReactor[],
): Promise<Pick<Remote, 'orphans' | 'gone'>> {
  const found = await Promise.all(candidates.map(({ id }) => getReactor(client, id)));
  return {
    orphans: found.flatMap((reactor, index) =>
      reactor && reactor.name === candidates[index]?.name ? [reactor] : [],
    ),
    gone: candidates.filter((_, index) => found[index] === undefined).map(({ id }) => id),
  };
}

/**
 * Reads reactors and applications. The failure of one lookup is part of the result.
 * @throws if the service cannot be reached or prune candidates cannot be read.
 */
export async function readRemote(
  client: Client,
  { reactors, applications, pruneCandidates }: RemoteQuery,
  { concurrency, signal }: { concurrency: number; signal: AbortSignal },
): Promise<Remote> {
  const target = (await client.connection()).transport.url;
  const limit = pLimit(concurrency);
  const lookUp = async <Value>(keys: readonly string[], find: (key: string) => Promise<Value>) =>
    new Map(
      await limit.map(new Set(keys), async (key) => [key, await attempt(signal, () => find(key))] as const),
    );
  const candidates = pruneCandidates.filter(({ base_url }) => base_url === target);
  const pruning = await readOrphans(client, candidates);
  return {
    target,
    reactors: await lookUp(reactors, (name) => findReactor(client, name)),
    applications: await lookUp(applications, (name) => resolveApplicationId(client, name)),
    ...pruning,
  };
}
