import { hash } from 'node:crypto';
import { stringify } from 'safe-stable-stringify';
import { COLLECTION_NAMES, collectionOf } from '../../store/collections.js';
import { MOVED_DATA } from '../../store/moved-data.js';
import type { CollectionName } from '../../store/records.js';
import type { Insert } from '../../store/store.js';
import { UNFINISHED_MOVE } from '../../store/unfinished-move.js';

/** The settings that a move itself leaves in a store. */
const MARKS = [UNFINISHED_MOVE, MOVED_DATA];

/** Characters of a digest: 132 bits in base64. Short, because there is one per record. */
const DIGEST_LENGTH = 22;

/** Names a record; unique over all collections and tenants. */
type RecordName = string;

/** The number of records of each collection. */
export type RecordCounts = Record<CollectionName, number>;

/** One digest for each record of a store, to compare two stores record by record. */
export class RecordDigests {
  readonly #digests = new Map<RecordName, string>();
  /** Names by tenant, of collections that keep only the last records of a tenant. */
  readonly #bounded = new Map<string, RecordName[]>();
  readonly counts = Object.fromEntries(COLLECTION_NAMES.map((name) => [name, 0])) as RecordCounts;

  get size(): number {
    return this.#digests.size;
  }

  add({ insert: collection, record }: Insert): void {
    if (MARKS.includes(record.id)) return;
    const { tenantOf, keepLast } = collectionOf(collection);
    const tenantId = tenantOf(record);
    const name = JSON.stringify([collection, tenantId, record.id]);
    this.#digests.set(name, hash('sha256', stringify(record) ?? '', 'base64').slice(0, DIGEST_LENGTH));
    this.counts[collection] += 1;
    if (keepLast !== undefined) this.#dropOlder(collection, tenantId, name, keepLast);
  }

  /** Returns the name of a record that only one of both has, or that differs; undefined if they hold the same. */
  firstDifference(other: RecordDigests): string | undefined {
    for (const [name, digest] of this.#digests) if (other.#digests.get(name) !== digest) return name;
    for (const name of other.#digests.keys()) if (!this.#digests.has(name)) return name;
    return undefined;
  }

  /** Drops the oldest record beyond the limit of its collection, which a store may not have removed yet. */
  #dropOlder(collection: CollectionName, tenantId: string, name: RecordName, keepLast: number): void {
    const key = `${collection} ${tenantId}`;
    const names = this.#bounded.get(key) ?? [];
    this.#bounded.set(key, names);
    names.push(name);
    const dropped = names[names.length - 1 - keepLast];
    if (dropped === undefined) return;
    this.#digests.delete(dropped);
    this.counts[collection] -= 1;
    if (names.length >= 2 * keepLast) this.#bounded.set(key, names.slice(-keepLast));
  }
}
