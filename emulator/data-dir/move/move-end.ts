import type { Credentials } from '../../../src/contract/control/state-file.js';
import type { SnapshotStorage } from '../../store/snapshots.js';
import type { Store } from '../../store/store.js';

/** What an emulator remembers apart from its records: how it can be called. */
export interface KeptState {
  controlToken: string | undefined;
  tenants: readonly Credentials[];
}

/** A data directory or a database that no emulator uses. */
export interface MoveEnd {
  /** For messages. */
  name: string;
  store: Store;
  snapshotStorage: SnapshotStorage;
  readState(): Promise<KeptState>;
  writeState(state: KeptState): Promise<void>;
  /** Removes all records and snapshots for good. */
  empty(): Promise<void>;
  close(): Promise<void>;
}
