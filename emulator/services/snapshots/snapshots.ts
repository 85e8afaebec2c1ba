import type { SnapshotInfo } from '../../../src/contract/control/schemas.js';
import { SNAPSHOT_NAME, SNAPSHOT_NAME_RULE } from '../../../src/contract/control/vocabulary.js';
import { ConflictError, DamagedError } from '../../store/errors.js';
import { damagedSnapshot, type SnapshotStorage } from '../../store/snapshot-storage.js';
import type { Insert, Store } from '../../store/store.js';
import { belongsTo, clearTenantChanges } from '../tenant-file/tenant-records.js';
import { formatSnapshot, parseHead, parseSnapshot } from './snapshot-text.js';

/** Comes between the id of a tenant and the name of its snapshot; no snapshot name has it. */
const SEPARATOR = '@';

class SnapshotNameError extends Error {
  override name = 'SnapshotNameError';

  constructor() {
    super(`A snapshot name is ${SNAPSHOT_NAME_RULE}`);
  }
}

/**
 * Named copies of everything a store holds, or of everything of a tenant. A snapshot is restored in one commit: until it is durable, nothing changes. Only
 * the audit log follows later, like the entries of reads.
 */
export class Snapshots {
  readonly #store: Store;
  readonly #storage: SnapshotStorage;

  constructor(store: Store, storage: SnapshotStorage) {
    this.#store = store;
    this.#storage = storage;
  }

  /** @param tenantId the tenant to save; undefined for everything @throws SnapshotNameError */
  async save(name: string, now: Date, tenantId?: string): Promise<SnapshotInfo> {
    if (!SNAPSHOT_NAME.test(name)) throw new SnapshotNameError();
    const lines: string[] = [];
    let tokens = 0;
    await this.#store.copy((change) => {
      if (tenantId !== undefined && !belongsTo(change.record, tenantId)) return;
      if (change.insert === 'tokens') tokens += 1;
      lines.push(JSON.stringify(change));
    });
    const info: SnapshotInfo = { name, created_at: now.toISOString(), tokens };
    await this.#storage.write(keyOf(name, tenantId), formatSnapshot(info, lines));
    return info;
  }

  /**
   * Restores a snapshot and returns its audit log, which the caller records: it is half of the data, and nobody needs to wait
   * for it. Returns undefined if there is no snapshot with this name.
   *
   * @throws DamagedError the snapshot is not as it was saved; nothing has changed
   * @throws ConflictError the tenant has been deleted
   */
  async restore(name: string, tenantId?: string): Promise<Insert<'log'>[] | undefined> {
    if (!SNAPSHOT_NAME.test(name)) return undefined;
    const text = await this.#storage.read(keyOf(name, tenantId));
    if (text === undefined) return undefined;
    const inserts = parseSnapshot(name, text);
    const clears =
      tenantId === undefined
        ? [{ clear: 'everything' } as const]
        : [{ require: 'tenants', tenantId } as const, ...(await clearTenantChanges(this.#store, tenantId))];
    const commit = this.#store.commit([...clears, ...inserts.filter((one) => !isLog(one))]);
    await commit.catch((error: unknown) => {
      if (!(error instanceof ConflictError) || error.reason !== 'id') throw error;
      throw damagedSnapshot(name, 1, `two records of ${error.collection} have the same id`);
    });
    return inserts.filter(isLog);
  }

  /** Removes the snapshots of a tenant. */
  async removeAll(tenantId: string): Promise<void> {
    for (const name of await this.#names(tenantId)) await this.#storage.remove(keyOf(name, tenantId));
  }

  /** Those of a tenant, or those of everything; by name. One that cannot be read is left out. */
  async list(tenantId?: string): Promise<SnapshotInfo[]> {
    const names = (await this.#names(tenantId)).sort();
    const infos = await Promise.all(names.map((name) => this.#info(name, tenantId).catch(ignoreDamaged)));
    return infos.filter((info) => info !== undefined);
  }

  async #names(tenantId: string | undefined): Promise<string[]> {
    const keys = await this.#storage.names();
    if (tenantId === undefined) return keys.filter((key) => !key.includes(SEPARATOR));
    const prefix = keyOf('', tenantId);
    return keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
  }

  async #info(name: string, tenantId: string | undefined): Promise<SnapshotInfo> {
    return parseHead(name, (await this.#storage.read(keyOf(name, tenantId))) ?? '');
  }
}

/** The name under which a snapshot is stored. */
function keyOf(name: string, tenantId: string | undefined): string {
  return tenantId === undefined ? name : `${tenantId}${SEPARATOR}${name}`;
}

function isLog(insert: Insert): insert is Insert<'log'> {
  return insert.insert === 'log';
}

function ignoreDamaged(error: unknown): undefined {
  if (!(error instanceof DamagedError)) throw error;
}
