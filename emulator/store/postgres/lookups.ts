import type { Client, QueryConfig, QueryResult } from 'pg';
import { type Database, endConnection } from './connection.js';
import { databaseError, isConnectionError, isLostConnection } from './errors.js';

/**
 * A connection for statements that take a fraction of a millisecond and wait for nobody, such as a read by key. They are
 * sent without waiting for each other's results, those of one turn of the event loop in one message.
 */
export class Lookups {
  readonly #database: Database;
  #client: Promise<Client> | undefined;
  #isClosed = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Executes a statement, again if the connection was lost.
   * @throws StoreUnavailableError | StorageError
   */
  async query<Row extends object>(config: QueryConfig): Promise<QueryResult<Row>> {
    try {
      return await this.#send<Row>(config).catch((error) => {
        if (!isLostConnection(error)) throw error;
        return this.#send<Row>(config);
      });
    } catch (error) {
      throw databaseError(error);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await end(this.#client);
  }

  async #send<Row extends object>(config: QueryConfig): Promise<QueryResult<Row>> {
    if (this.#isClosed) throw new Error('The store is closed.');
    this.#client ??= this.#database.connect();
    const connecting = this.#client;
    try {
      const client = await connecting;
      const { stream } = client.connection;
      stream.cork();
      process.nextTick(() => stream.uncork());
      return await client.query<Row>(config);
    } catch (error) {
      if (isConnectionError(error) && this.#client === connecting) {
        this.#client = undefined;
        void end(connecting);
      }
      throw error;
    }
  }
}

async function end(connecting: Promise<Client> | undefined): Promise<void> {
  await connecting?.then(endConnection).catch(() => {});
}
