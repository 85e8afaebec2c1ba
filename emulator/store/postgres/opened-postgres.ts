import type { DataKey } from '../data-key.js';
import type { SnapshotStorage } from '../snapshot-storage.js';
import type { SharedStore, Store, StoreProbe } from '../store.js';

export interface PostgresOptions {
  /** `postgres://user@host:5432/database`, without a password. */
  url: string;
  /** Encrypts token data and secrets. It is never in the database. */
  dataKey?: DataKey | undefined;
  /** Milliseconds that a statement may take. Default `STATEMENT_TIMEOUT_MS`. */
  statementTimeoutMs?: number | undefined;
  logger: { warn(message: string): void };
}

/** A store on a database, and what belongs to it. */
export interface OpenedPostgres {
  store: Store;
  shared: SharedStore;
  snapshotStorage: SnapshotStorage;
  probe: StoreProbe;
}
