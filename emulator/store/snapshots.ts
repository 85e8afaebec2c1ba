import { DamagedError } from './errors.js';
import type { Insert, Store } from './store.js';

const FORMAT = 1;
export const SNAPSHOT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

export interface SnapshotInfo {
  name: string;
  created_at: string;
  /** Live tokens in it. */
  tokens: number;
}

/** Keeps the text of snapshots by name. */
export interface SnapshotShelf {
  write(name: string, text: string): Promise<void>;
  read(name: string): Promise<string | undefined>;
  names(): Promise<string[]>;
}

export class SnapshotNameError extends Error {
  override name = 'SnapshotNameError';

  constructor() {
    super('A snapshot name is 1 to 100 characters of A-Z a-z 0-9 . _ -, the first a letter or digit');
  }
}

/**
 * Named copies of everything a store holds. Restoring is one commit: until it is durable, everything is as before. The
 * audit log alone follows it, like the entries of reads.
 */
export class Snapshots {
  readonly #store: Store;
  readonly #shelf: SnapshotShelf;

  constructor(store: Store, shelf: SnapshotShelf) {
    this.#store = store;
    this.#shelf = shelf;
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
    await this.#shelf.write(name, `${[JSON.stringify({ format: FORMAT, ...info }), ...lines].join('\n')}\n`);
    return info;
  }

  /**
   * Answers with the entries of the audit log, left to be recorded: they are half of what there is, and nobody waits for
   * them to be written. Undefined when there is no snapshot of this name.
   *
   * @throws DamagedError
   */
  async restore(name: string): Promise<Insert<'log'>[] | undefined> {
    const text = SNAPSHOT_NAME.test(name) ? await this.#shelf.read(name) : undefined;
    if (text === undefined) return undefined;
    const [, ...changes] = text
      .trimEnd()
      .split('\n')
      .map((line, i) => parseLine<Insert>(name, line, i + 1));
    const isLog = (change: Insert): change is Insert<'log'> => change.insert === 'log';
    await this.#store.commit([{ clear: 'everything' }, ...changes.filter((change) => !isLog(change))]);
    return changes.filter(isLog);
  }

  /** By name. */
  async list(): Promise<SnapshotInfo[]> {
    const names = (await this.#shelf.names()).sort();
    return Promise.all(names.map((name) => this.#info(name)));
  }

  async #info(name: string): Promise<SnapshotInfo> {
    const text = (await this.#shelf.read(name)) ?? '';
    const head = parseLine<SnapshotInfo>(name, text.slice(0, text.indexOf('\n')), 1);
    return { name, created_at: head.created_at, tokens: head.tokens };
  }
}

function parseLine<T>(name: string, line: string, number: number): T {
  try {
    return JSON.parse(line) as T;
  } catch {
    throw new DamagedError(`snapshot ${name}`, number, 'this is not JSON');
  }
}
