import type { Client } from '../../../client/client.js';
import { ServiceError } from '../../../client/errors.js';
import type { Reactor } from '../../../contract/schemas/index.js';
import type { CreatedReactor, LockFile } from '../project/lock-file.js';

async function getReactor(client: Client, id: string): Promise<Reactor | undefined> {
  try {
    return await client.call('reactors.get', { path: { id } });
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return undefined;
    throw error;
  }
}

export interface Orphans {
  /** What an earlier deployment of the manifest created on this service and the manifest no longer names. */
  orphans: CreatedReactor[];
  /** Ids of those that are gone already. */
  gone: string[];
}

/** Looks for what to prune. A reactor that was renamed since has become someone else's and stays. */
export async function findOrphans(
  client: Client,
  lock: LockFile,
  baseUrl: string,
  names: ReadonlySet<string>,
): Promise<Orphans> {
  const candidates = lock.createdOn(baseUrl).filter(({ name }) => !names.has(name));
  const remote = await Promise.all(candidates.map(({ id }) => getReactor(client, id)));
  return {
    orphans: candidates.filter(({ name }, index) => remote[index]?.name === name),
    gone: candidates.filter((_, index) => !remote[index]).map(({ id }) => id),
  };
}
