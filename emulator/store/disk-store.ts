import { join } from 'node:path';
import { Compactor } from './compaction/compactor.js';
import { LineLedger } from './compaction/line-ledger.js';
import type { DataKey } from './data-key.js';
import type { RecordCipher } from './encryption.js';
import { DamagedError } from './errors.js';
import type { FileSystem } from './files/file-system.js';
import { HEADER_FILE, JOURNAL_DIR } from './files/layout.js';
import type { Presence } from './files/presence.js';
import { Journal } from './journal/journal.js';
import { segmentNumbers } from './journal/segment.js';
import { JournalTarget } from './journal-target.js';
import { LocalStore } from './local-store.js';
import { recover } from './recovery/recovery.js';
import type { Store } from './store.js';
import { createIdentity, readHeader, type StoreHeader, unlock } from './store-header.js';
import { Tables } from './tables/tables.js';

interface DiskStoreOptions {
  files: FileSystem;
  dataDir: string;
  durability: 'sync' | 'os';
  dataKey?: DataKey;
  /** Default: 1 GiB. */
  maxCommitBytes?: number;
  logger: { warn(message: string): void };
  presence?: Presence;
  onClose(): Promise<void>;
}

/** A store, and what encrypts other files of its data directory. */
export interface DiskStore {
  store: Store;
  cipher: RecordCipher;
}

/**
 * Opens the store of a data directory whose lock this process holds.
 *
 * @throws DamagedError something is not what was written; nothing was changed
 * @throws FormatError
 * @throws WrongKeyError
 */
export async function openDiskStore(options: DiskStoreOptions): Promise<DiskStore> {
  const { files, dataDir, dataKey } = options;
  await files.makeDirectory(join(dataDir, JOURNAL_DIR));
  const known = await knownHeader(files, dataDir);
  const header = known ?? (await newHeader(dataKey));
  const cipher = await unlock(header, dataDir, dataKey);
  const ledger = new LineLedger();
  const tables = new Tables(ledger);
  const { segments, revision, partlyErased } = await recover({ ...options, header, tables, ledger, cipher });
  const { format, id, key_check } = header;
  const identity = { format, id, ...(key_check !== undefined && { key_check }) };
  const listedBytes = known && (known.journal.at(-1)?.bytes ?? 0);
  const journal = new Journal({ ...options, identity, revision, next: header.next, listedBytes }, segments);
  try {
    await journal.sync();
    // Before anything else reads them: a partly erased line is neither valid nor blank.
    await journal.erase(partlyErased);
  } catch (error) {
    await journal.abandon();
    throw error;
  }
  options.presence?.watch(() => journal.keptFiles);
  const compactor = new Compactor({ ...options, journal, ledger });
  const target = new JournalTarget({ ...options, journal, tables, ledger, compactor, cipher }, revision);
  return { store: new LocalStore(tables, target), cipher };
}

async function knownHeader(files: FileSystem, dataDir: string): Promise<StoreHeader | undefined> {
  const header = await readHeader(files, dataDir);
  if (header !== undefined) return header;
  const segments = await segmentNumbers(files, join(dataDir, JOURNAL_DIR));
  if (segments.length === 0) return undefined;
  throw new DamagedError(join(dataDir, HEADER_FILE), undefined, 'this file is missing');
}

async function newHeader(dataKey: DataKey | undefined): Promise<StoreHeader> {
  return { ...(await createIdentity(dataKey)), revision: 0, next: 1, journal: [] };
}
