import type { Client } from '../../../client/client.js';
import { ServiceError } from '../../../client/errors.js';
import { LIMITS } from '../../../contract/limits.js';
import { CliError } from '../../lib/errors.js';

type Named = 'applications.list' | 'reactors.list';

/** An entity by its id. Only applications and reactors have names. */
export interface Reference {
  /** undefined: an actor, which is an application or a reactor. */
  type: string | undefined;
  id: string | undefined;
}

/** Names of the applications and reactors that a table mentions. Those that were deleted, or may not be read, keep their ids. */
export class EntityNames {
  readonly #client: Client;
  readonly #names = new Map<string, string>();
  /** Ids that were asked for, found or not. */
  readonly #known = new Set<string>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** Reads the names of a page: at most one request for applications and one for reactors. */
  async load(references: readonly Reference[]): Promise<void> {
    const ids = { application: new Set<string>(), reactor: new Set<string>() };
    for (const { type, id } of references) {
      if (id === undefined || this.#known.has(id)) continue;
      if (type !== undefined && type !== 'application' && type !== 'reactor') continue;
      if (type !== 'reactor') ids.application.add(id);
      if (type !== 'application') ids.reactor.add(id);
      this.#known.add(id);
    }
    await Promise.all([
      this.#read('applications.list', [...ids.application]),
      this.#read('reactors.list', [...ids.reactor]),
    ]);
  }

  /** Returns the name, or the id if there is none. */
  nameOf(id: string): string {
    return this.#names.get(id) ?? id;
  }

  async #read(operation: Named, ids: string[]): Promise<void> {
    for (let i = 0; i < ids.length; i += LIMITS.pageSize.maximum) {
      const id = ids.slice(i, i + LIMITS.pageSize.maximum);
      try {
        const { data } = await this.#client.call(operation, { query: { id, size: id.length } });
        for (const one of data) this.#names.set(one.id, one.name);
      } catch (error) {
        // A table is of use without names, which need permissions of their own.
        if (!isDenied(error)) throw error;
      }
    }
  }
}

/** Whether the service refused a key, or there is none for the operation. */
function isDenied(error: unknown): boolean {
  if (error instanceof CliError) return error.failure.category === 'unauthorized';
  return error instanceof ServiceError && (error.status === 401 || error.status === 403);
}
