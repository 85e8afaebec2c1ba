import type { WorkingCredentials } from '../../../src/contract/control/state-file.js';
import type { SnapshotStorage } from '../../store/snapshots.js';
import type { Store } from '../../store/store.js';

/** What an emulator keeps apart from its records: the credentials that clients use. */
interface KeptState {
  controlToken: string | undefined;
  tenants: readonly WorkingCredentials[];
}

/** The source or the target of a move: a data directory or a database that no emulator uses. */
export interface MoveEnd {
  /** For messages. */
  name: string;
  store: Store;
  snapshotStorage: SnapshotStorage;
  readState(): Promise<KeptState>;
  writeState(state: KeptState): Promise<void>;
  /** Removes all records and snapshots for good. @param storeUrl the database of the move: a directory remembers it */
  empty(storeUrl: string): Promise<void>;
  close(): Promise<void>;
}
