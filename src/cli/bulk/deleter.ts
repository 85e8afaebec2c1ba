import { ServiceError } from '../../client/errors.js';
import { LimitedClient, type LimitedClientOptions } from './adaptive-limiter.js';
import { refusalReason } from './ndjson.js';
import type { Reject, Row } from './row.js';

/** A token to delete. */
export interface DeletionRow extends Row {
  record: { id: string };
}

/** A refusal that concerns one token: the others may be deleted all the same. */
const REFUSALS = new Set([400, 403, 409]);
/** Refusals in a row at the start after which the key is taken to lack the permission. */
const MAX_FIRST_REFUSALS = 100;

/** Deletes tokens so that a token that is already gone counts as deleted. */
export class Deleter {
  #deleted = 0;
  #refused = 0;
  readonly #client: LimitedClient;

  constructor(options: LimitedClientOptions) {
    this.#client = new LimitedClient(options);
  }

  /**
   * Deletes tokens, one after another.
   * @returns the tokens that the service refuses to delete.
   * @throws when the service cannot be reached, fails, or refuses the key.
   */
  async delete(rows: readonly DeletionRow[]): Promise<Reject[]> {
    const rejects: Reject[] = [];
    for (const { number, record } of rows) {
      const reason = await this.#deleteOne(record.id);
      if (reason !== undefined) rejects.push({ number, reason, original: record });
    }
    return rejects;
  }

  /** Returns why the token was not deleted; undefined if it was. */
  async #deleteOne(id: string): Promise<string | undefined> {
    try {
      await this.#client.send((client) => client.call('tokens.delete', { path: { id } }));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      // A 404 counts as success: an earlier attempt may have deleted it.
      if (error.status !== 404) return this.#refuse(error);
    }
    this.#deleted++;
    return undefined;
  }

  #refuse(error: ServiceError): string {
    this.#refused++;
    if (!REFUSALS.has(error.status) || (this.#deleted === 0 && this.#refused > MAX_FIRST_REFUSALS))
      throw error;
    return refusalReason(error);
  }
}
