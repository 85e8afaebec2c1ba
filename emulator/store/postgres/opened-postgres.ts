import type { DataKey } from '../manifest.js';
import type { SnapshotStorage } from '../snapshots.js';
import type { SharedStore, Store } from '../store.js';
import type { StoreProbe } from '../store-health.js';

export interface PostgresOptions {
  /** `postgres://user@host:5432/database`, without a password. */
  url: string;
  /** Encrypts token data and secrets. It is never in the database. */
  dataKey?: DataKey | undefined;
  logger: { warn(message: string): void };
}

/** A store on a database, and what belongs to it. */
export interface OpenedPostgres {
  store: Store;
  shared: SharedStore;
  snapshotStorage: SnapshotStorage;
  probe: StoreProbe;
}
