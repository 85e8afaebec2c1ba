import { hash } from 'node:crypto';
import { stringify } from 'safe-stable-stringify';
import { COLLECTION_NAMES, collectionOf } from '../../store/collections.js';
import type { CollectionName } from '../../store/records.js';
import type { Insert } from '../../store/store.js';
import { MOVE_MARKS } from '../move-marks.js';

/** Characters of a digest: 132 bits in base64. Short, because there is one per record. */
const DIGEST_LENGTH = 22;

/** Names a record; unique over all collections and tenants. */
type RecordName = string;

export type RecordCounts = Record<CollectionName, number>;

/** One digest for each record of a store, to compare two stores record by record. */
export class RecordDigests {
  readonly #digests = new Map<RecordName, string>();
  /** By tenant: the records of the collection that keeps only the last ones, the oldest first. */
  readonly #logs = new Map<string, Set<RecordName>>();
  readonly counts = Object.fromEntries(COLLECTION_NAMES.map((name) => [name, 0])) as RecordCounts;

  get size(): number {
    return this.#digests.size;
  }

  add({ insert: collection, record }: Insert): void {
    if (MOVE_MARKS.includes(record.id)) return;
    const { tenantOf, retention } = collectionOf(collection);
    const tenantId = tenantOf(record);
    const name = JSON.stringify([collection, tenantId, record.id]);
    this.#digests.set(name, hash('sha256', stringify(record) ?? '', 'base64').slice(0, DIGEST_LENGTH));
    this.counts[collection] += 1;
    if (retention === undefined) return;
    const log = this.#logs.get(tenantId) ?? new Set();
    this.#logs.set(tenantId, log.add(name));
    const [oldest] = log;
    if (oldest === undefined || log.size <= retention) return;
    // A store may not have removed it yet.
    log.delete(oldest);
    this.#digests.delete(oldest);
    this.counts[collection] -= 1;
  }

  /** Returns the name of a record that only one of both has, or that differs; undefined if they hold the same. */
  firstDifference(other: RecordDigests): string | undefined {
    for (const [name, digest] of this.#digests) if (other.#digests.get(name) !== digest) return name;
    for (const name of other.#digests.keys()) if (!this.#digests.has(name)) return name;
    return undefined;
  }
}
