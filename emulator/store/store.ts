import type { Condition } from './condition.js';
import type { CollectionName, Records, Stored } from './records.js';

/**
 * Everything the emulator keeps. Two implementations, one contract (test/emulator/store/contract.test.ts): a journal on
 * disk and memory; a database server could be a third.
 *
 * - A change is visible when it is durable, never before.
 * - Lists are ordered by `created_at` descending, then `id` ascending.
 * - Records that come out are shared: never change one in place.
 */
export interface Store {
  /** One record of a tenant. A record of another tenant is not found. */
  get<N extends CollectionName>(
    collection: N,
    tenantId: string,
    id: string,
  ): Promise<Stored<Records[N]> | undefined>;

  /** A page of what matches, and how many match in all. */
  find<N extends CollectionName>(collection: N, query: Query<N>): Promise<Found<Records[N]>>;

  /**
   * Makes all of the changes or none, over all collections, and answers when they are durable. A precondition that
   * touches a change still under way waits for it.
   *
   * @throws ConflictError a precondition does not hold; nothing was changed
   * @throws StorageFullError no room on the disk; nothing was changed, reading goes on
   */
  commit(changes: Change[]): Promise<void>;

  /**
   * Adds entries without waiting for them: the audit entries and the activity of reads. Visible at once, durable within
   * a fraction of a second; an entry that exists already is left as it is. Cheap, and never throws.
   */
  record(entries: Entry[]): void;

  /**
   * Gives every record there is at the time of the call, one after the other, as changes that would bring it back. Others
   * read and write meanwhile; what they change does not show.
   */
  copy(each: (change: Insert) => void | Promise<void>): Promise<void>;

  /** Writes down what `record` was given and forgets what is to be forgotten; then closes the files. Once is enough. */
  close(): Promise<void>;
}

export interface Query<N extends CollectionName> {
  /** Absent: all tenants (the sweep, the look-up of a key). */
  tenantId?: string;
  where?: Condition<N>;
  /** Default 0. */
  offset?: number;
  /** Default: all of them. 0 counts only. */
  limit?: number;
}

export interface Found<R> {
  records: Stored<R>[];
  total: number;
}

/**
 * `unless`: conflicts when another record of the same tenant and collection matches. The record is the store's from then
 * on: never change it, or insert it in another store.
 */
export type Insert<N extends CollectionName = CollectionName> = {
  [C in N]: { insert: C; record: Records[C]; unless?: Condition<C> };
}[N];

/** Conflicts unless the stored record still has the revision of `record`: read it, spread it, change it. */
export type Replace<N extends CollectionName = CollectionName> = {
  [C in N]: { replace: C; record: Stored<Records[C]>; unless?: Condition<C> };
}[N];

/** Conflicts when the record does not exist, or (`revision`) has changed. */
export interface Remove {
  remove: CollectionName;
  tenantId: string;
  id: string;
  revision?: number;
}

/** Everything of a tenant, or (`everything`) all there is; what follows in the same commit stays. */
export type Clear = { clear: 'tenant'; tenantId: string } | { clear: 'everything' };

/** Changes nothing, and conflicts when the tenant is gone: what is made for it meanwhile would belong to nobody. */
export interface Require {
  require: 'tenants';
  tenantId: string;
}

export type Change = Insert | Replace | Remove | Clear | Require;

export type Entry = Insert<'log' | 'activity'>;
