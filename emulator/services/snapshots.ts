import pLimit from 'p-limit';
import type { SnapshotInfo } from '../../src/contract/control/schemas.js';
import { SNAPSHOT_NAME, SNAPSHOT_NAME_RULE } from '../../src/contract/control/vocabulary.js';
import { isObject } from '../../src/contract/json.js';
import { COLLECTION_NAMES } from '../store/collections.js';
import { ConflictError, DamagedError } from '../store/errors.js';
import { createMemoryStore } from '../store/memory-store.js';
import type { Records } from '../store/records.js';
import { damagedSnapshot, type SnapshotStorage } from '../store/snapshot-storage.js';
import type { Change, Insert, Store } from '../store/store.js';

/** Comes between the id of a tenant and the name of its snapshot; no snapshot name has it. */
const SEPARATOR = '@';

/** Named copies of everything, or everything of a tenant, restored in one commit. Only the audit log follows later. */
export class Snapshots {
  /** A restore writes the log after the data: the log of one must not follow the data of the next. */
  readonly oneByOne: <T>(restore: () => Promise<T>) => Promise<T> = pLimit(1);

  constructor(
    private readonly store: Store,
    private readonly storage: SnapshotStorage,
  ) {}

  /** @param tenantId the tenant to save; undefined for everything @throws Error the name is not one of a snapshot */
  async save(name: string, now: Date, tenantId?: string): Promise<SnapshotInfo> {
    if (!SNAPSHOT_NAME.test(name)) throw new Error(`A snapshot name is ${SNAPSHOT_NAME_RULE}`);
    const lines: string[] = [];
    let tokens = 0;
    await this.store.copy((change) => {
      if (tenantId !== undefined && !belongsTo(change.record, tenantId)) return;
      if (change.insert === 'tokens') tokens += 1;
      lines.push(JSON.stringify(change));
    });
    const info: SnapshotInfo = { name, created_at: now.toISOString(), tokens };
    const text = [JSON.stringify({ format: FORMAT, ...info }), ...lines].join('\n');
    await this.storage.write(keyOf(name, tenantId), `${text}\n`);
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
    const inserts = await this.#read(name, tenantId);
    if (!inserts) return undefined;
    const clears =
      tenantId === undefined
        ? [{ clear: 'everything' } as const]
        : [{ require: 'tenants', tenantId } as const, ...(await clearTenantChanges(this.store, tenantId))];
    const commit = this.store.commit([...clears, ...inserts.filter((one) => !isLog(one))]);
    await commit.catch((error: unknown) => {
      if (!(error instanceof ConflictError) || error.reason !== 'id') throw error;
      throw damagedSnapshot(name, 1, `two records of ${error.collection} have the same id`);
    });
    return inserts.filter(isLog);
  }

  /** Returns a store with the content of a snapshot; undefined if there is none with this name. @throws DamagedError */
  async open(name: string, tenantId: string): Promise<Pick<Store, 'find' | 'get'> | undefined> {
    const inserts = await this.#read(name, tenantId);
    if (!inserts) return undefined;
    const store = createMemoryStore();
    await store.commit(inserts.filter((one) => !isLog(one)));
    return store;
  }

  async removeAll(tenantId: string): Promise<void> {
    for (const name of await this.#names(tenantId)) await this.storage.remove(keyOf(name, tenantId));
  }

  /** Those of a tenant, or those of everything; by name. One that cannot be read is left out. */
  async list(tenantId?: string): Promise<SnapshotInfo[]> {
    const names = (await this.#names(tenantId)).sort();
    const infos = await Promise.all(names.map((name) => this.#info(name, tenantId).catch(ignoreDamaged)));
    return infos.filter((info) => info !== undefined);
  }

  async #read(name: string, tenantId: string | undefined): Promise<Insert[] | undefined> {
    if (!SNAPSHOT_NAME.test(name)) return undefined;
    const text = await this.storage.read(keyOf(name, tenantId));
    return text === undefined ? undefined : parseSnapshot(name, text);
  }

  async #names(tenantId: string | undefined): Promise<string[]> {
    const keys = await this.storage.names();
    if (tenantId === undefined) return keys.filter((key) => !key.includes(SEPARATOR));
    const prefix = keyOf('', tenantId);
    return keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
  }

  async #info(name: string, tenantId: string | undefined): Promise<SnapshotInfo> {
    return parseHead(name, (await this.storage.read(keyOf(name, tenantId))) ?? '');
  }
}

function keyOf(name: string, tenantId: string | undefined): string {
  return tenantId === undefined ? name : `${tenantId}${SEPARATOR}${name}`;
}

const isLog = (insert: Insert): insert is Insert<'log'> => insert.insert === 'log';

function ignoreDamaged(error: unknown): undefined {
  if (!(error instanceof DamagedError)) throw error;
}

const FORMAT = 1;
const NAMES: ReadonlySet<unknown> = new Set(COLLECTION_NAMES);

/** Reads the head of a snapshot: its first line, before a line for each record. @throws DamagedError */
function parseHead(name: string, text: string): SnapshotInfo {
  const head = parseLine(name, text.slice(0, text.indexOf('\n')), 1);
  const { format, created_at, tokens } = head;
  if (format !== FORMAT || typeof created_at !== 'string' || typeof tokens !== 'number')
    throw damagedSnapshot(name, 1, `it is not the head of a snapshot of format ${FORMAT}`);
  return { name, created_at, tokens };
}

/** Reads a whole snapshot: one that lacks records would remove what it should bring back. @throws DamagedError */
function parseSnapshot(name: string, text: string): Insert[] {
  const { tokens } = parseHead(name, text);
  const [, ...lines] = text.trimEnd().split('\n');
  const inserts = lines.map((line, index) => parseInsert(name, line, index + 2));
  const found = inserts.filter(({ insert }) => insert === 'tokens').length;
  if (found !== tokens)
    throw damagedSnapshot(name, 1, `it promises ${tokens} tokens, and there are ${found}`);
  return inserts;
}

function parseInsert(name: string, line: string, number: number): Insert {
  const { insert, record } = parseLine(name, line, number);
  if (NAMES.has(insert) && isObject(record) && typeof record.id === 'string')
    return { insert, record } as unknown as Insert;
  throw damagedSnapshot(name, number, 'it is not a record');
}

function parseLine(name: string, line: string, number: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (isObject(value)) return value;
  } catch {
    // As any other text that is not a record.
  }
  throw damagedSnapshot(name, number, 'it is not a JSON object');
}

/** Whether a record is one of a tenant. A setting of a tenant has the tenant's id in its name. */
export function belongsTo(record: Records[keyof Records], tenantId: string): boolean {
  if ('tenant_id' in record) return record.tenant_id === tenantId;
  return record.id === tenantId || record.id.endsWith(`:${tenantId}`);
}

/** Returns the changes that remove everything of a tenant, the settings about it included. */
export async function clearTenantChanges(store: Pick<Store, 'find'>, tenantId: string): Promise<Change[]> {
  const { records } = await store.find('settings', {});
  const settings = records.filter((setting) => belongsTo(setting, tenantId));
  return [
    { clear: 'tenant', tenantId },
    ...settings.map(({ id }): Change => ({ remove: 'settings', tenantId: '', id })),
  ];
}
