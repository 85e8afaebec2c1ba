import type { Pool, QueryConfig, QueryResult } from 'pg';
import { databaseError, isLostConnection } from './errors.js';

/**
 * Queries a database, again if the connection was lost while it was idle.
 * @throws StoreUnavailableError | StorageError
 */
export async function query<Row extends object>(pool: Pool, config: QueryConfig): Promise<QueryResult<Row>> {
  try {
    return await pool.query<Row>(config).catch((error) => {
      if (!isLostConnection(error)) throw error;
      return pool.query<Row>(config);
    });
  } catch (error) {
    throw databaseError(error);
  }
}
