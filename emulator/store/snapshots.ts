import { SNAPSHOT_NAME, type SnapshotInfo } from '../../src/contract/control/snapshots.js';
import { DamagedError } from './errors.js';
import type { Insert, Store } from './store.js';

const FORMAT = 1;
/** Bytes up to which the snapshot restored last is kept in memory. */
const KEPT_BYTES = 4 * 1024 * 1024;

/** A stored snapshot. */
export interface KeptSnapshot {
  bytes: Buffer;
  text(): string;
}

/** Stores the text of snapshots by name. */
export interface SnapshotStorage {
  write(name: string, text: string): Promise<void>;
  read(name: string): Promise<KeptSnapshot | undefined>;
  names(): Promise<string[]>;
}

export class SnapshotNameError extends Error {
  override name = 'SnapshotNameError';

  constructor() {
    super('A snapshot name is 1 to 100 characters of A-Z a-z 0-9 . _ -, the first a letter or digit');
  }
}

/**
 * Named copies of everything a store holds. A snapshot is restored in one commit: until it is durable, nothing changes. Only
 * the audit log follows later, like the entries of reads.
 */
export class Snapshots {
  readonly #store: Store;
  readonly #storage: SnapshotStorage;
  /** The snapshot restored last: a test suite restores the same one before every test. */
  #last: { bytes: Buffer; inserts: Insert[] } | undefined;

  constructor(store: Store, storage: SnapshotStorage) {
    this.#store = store;
    this.#storage = storage;
  }

  /** @throws SnapshotNameError */
  async save(name: string, now: Date): Promise<SnapshotInfo> {
    if (!SNAPSHOT_NAME.test(name)) throw new SnapshotNameError();
    const lines: string[] = [];
    let tokens = 0;
    await this.#store.copy((change) => {
      if (change.insert === 'tokens') tokens += 1;
      lines.push(JSON.stringify(change));
    });
    const info: SnapshotInfo = { name, created_at: now.toISOString(), tokens };
    await this.#storage.write(
      name,
      `${[JSON.stringify({ format: FORMAT, ...info }), ...lines].join('\n')}\n`,
    );
    return info;
  }

  /**
   * Restores a snapshot and returns its audit log, which the caller records: it is half of the data, and nobody needs to wait
   * for it. Returns undefined if there is no snapshot with this name.
   *
   * @throws DamagedError
   */
  async restore(name: string): Promise<Insert<'log'>[] | undefined> {
    const kept = SNAPSHOT_NAME.test(name) ? await this.#storage.read(name) : undefined;
    if (kept === undefined) return undefined;
    const inserts = this.#inserts(name, kept);
    await this.#store.commit([{ clear: 'everything' }, ...inserts.filter((one) => !isLog(one)).map(copyOf)]);
    return inserts.filter(isLog).map(copyOf);
  }

  #inserts(name: string, kept: KeptSnapshot): Insert[] {
    if (this.#last?.bytes.equals(kept.bytes)) return this.#last.inserts;
    const [, ...inserts] = kept
      .text()
      .trimEnd()
      .split('\n')
      .map((line, i) => parseLine<Insert>(name, line, i + 1));
    this.#last = undefined;
    if (kept.bytes.length <= KEPT_BYTES) this.#last = { bytes: kept.bytes, inserts };
    return inserts;
  }

  /** By name. */
  async list(): Promise<SnapshotInfo[]> {
    const names = (await this.#storage.names()).sort();
    return Promise.all(names.map((name) => this.#info(name)));
  }

  async #info(name: string): Promise<SnapshotInfo> {
    const text = (await this.#storage.read(name))?.text() ?? '';
    const head = parseLine<SnapshotInfo>(name, text.slice(0, text.indexOf('\n')), 1);
    return { name, created_at: head.created_at, tokens: head.tokens };
  }
}

function isLog(insert: Insert): insert is Insert<'log'> {
  return insert.insert === 'log';
}

/** The store takes the record over, and the same snapshot may be restored again. */
function copyOf<I extends Insert>({ insert, record }: I): I {
  return { insert, record: { ...record } } as I;
}

function parseLine<T>(name: string, line: string, number: number): T {
  try {
    return JSON.parse(line) as T;
  } catch {
    throw new DamagedError(`snapshot ${name}`, number, 'this is not JSON');
  }
}
