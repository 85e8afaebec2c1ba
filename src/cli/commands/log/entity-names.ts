import type { Client } from '../../../client/client.js';
import { ServiceError } from '../../../client/errors.js';
import { LIMITS } from '../../../contract/limits.js';
import type { LogEntry } from '../../../contract/schemas/index.js';

type Named = 'applications.list' | 'reactors.list';

/** Names of the applications and reactors that a log mentions. Those that were deleted, or may not be read, keep their ids. */
export class EntityNames {
  readonly #client: Client;
  readonly #names = new Map<string, string>();
  /** Ids that were asked for, found or not. */
  readonly #known = new Set<string>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** Reads the names that entries need: at most one request for applications and one for reactors per page. */
  async load(entries: readonly LogEntry[]): Promise<void> {
    const ids = { application: new Set<string>(), reactor: new Set<string>() };
    const add = (type: string, id: string | undefined) => {
      if (id === undefined || this.#known.has(id) || (type !== 'application' && type !== 'reactor')) return;
      ids[type].add(id);
      this.#known.add(id);
    };
    for (const { actor_type, actor_id, entity_type, entity_id } of entries) {
      add(actor_type, actor_id);
      add(entity_type, entity_id);
    }
    await Promise.all([
      this.#read('applications.list', [...ids.application]),
      this.#read('reactors.list', [...ids.reactor]),
    ]);
  }

  actorOf({ actor_id, actor_type }: LogEntry): string {
    return actor_id === undefined ? actor_type : (this.#names.get(actor_id) ?? actor_id);
  }

  entityOf({ entity_id = '' }: LogEntry): string {
    return this.#names.get(entity_id) ?? entity_id;
  }

  async #read(operation: Named, ids: string[]): Promise<void> {
    for (let i = 0; i < ids.length; i += LIMITS.pageSize.maximum) {
      const id = ids.slice(i, i + LIMITS.pageSize.maximum);
      try {
        const { data } = await this.#client.call(operation, { query: { id, size: id.length } });
        for (const one of data) this.#names.set(one.id, one.name);
      } catch (error) {
        // The log is of use without names, which need permissions of their own.
        if (!(error instanceof ServiceError) || (error.status !== 401 && error.status !== 403)) throw error;
      }
    }
  }
}
