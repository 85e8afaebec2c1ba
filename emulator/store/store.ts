import type { StoreHealth } from '../../src/contract/control/status.js';
import type { Condition } from './condition.js';
import type { CollectionName, Records, Stored } from './records.js';

/**
 * Everything the emulator stores. There are three implementations with one contract (test/emulator/store/contract.ts): memory,
 * a journal on disk, and a PostgreSQL database.
 *
 * - A change becomes visible when it is durable, never before.
 * - Lists are ordered by `created_at` descending, then `id` ascending.
 * - Returned records are shared: never change one in place.
 */
export interface Store {
  /** Returns one record of a tenant. A record of another tenant is not found. */
  get<N extends CollectionName>(
    collection: N,
    tenantId: string,
    id: string,
  ): Promise<Stored<Records[N]> | undefined>;

  /** Returns a page of the matching records, and how many match in all. */
  find<N extends CollectionName>(collection: N, query: Query<N>): Promise<Found<Records[N]>>;

  /**
   * Makes all of the changes or none, over all collections, and resolves when they are durable. A precondition that touches
   * a change that is being written waits for it.
   *
   * @throws ConflictError a precondition does not hold; nothing was changed
   * @throws StorageFullError the disk is full; nothing was changed, and reads still work
   */
  commit(changes: Change[]): Promise<void>;

  /** Adds audit entries and activity that nobody waits for: visible at once, durable soon. Never throws. */
  record(entries: Entry[]): void;

  /** Calls a function with every record there is at the time of the call, as the change that would insert it. */
  copy(each: (change: Insert) => void | Promise<void>): Promise<void>;

  /** Writes the recorded entries, erases what was deleted, and closes the files. May be called more than once. */
  close(): Promise<void>;

  /** Present if other processes may use the same store. */
  readonly shared?: SharedStore;
}

/** What the processes that share a store decide together. Every method throws StoreUnavailableError. */
export interface SharedStore {
  /** Grows with each change of what processes keep in memory: documents, states. Never older than the call. */
  revision(): Promise<number>;
  /** Reads a state: JSON that belongs to no tenant and that clearing everything leaves as it is. */
  readState(name: string): Promise<unknown>;
  /** Replaces a state by what a function makes of it. Changes of all processes happen one after the other. */
  updateState<T>(name: string, change: (state: T | undefined) => T): Promise<T>;
  /** Claims a name for this process, until it is released or the lease ends. Returns false while another claim holds. */
  claim(name: string, leaseMs: number): Promise<boolean>;
  release(name: string): Promise<void>;
  /** Counts a request in the current window of a name. Returns how many there are and when the window ends, in ms since 1970. */
  countRequest(name: string, window: RateWindow): Promise<{ requests: number; until: number }>;
  clearRequests(): Promise<void>;
  /** Tells the other processes something that they need not know for long: who reads a minute late may miss it. */
  publish(message: unknown): Promise<void>;
  /** Reads what other processes have published since the last call, each message once; of the last ten seconds, at the first call. */
  readPublished(): Promise<unknown[]>;
}

/** A window begins with its first request. The first request over the limit extends it. Times in milliseconds. */
export interface RateWindow {
  now: number;
  lengthMs: number;
  limit: number;
  blockMs: number;
}

export interface Query<N extends CollectionName> {
  /** Absent: all tenants, for the sweep and the lookup of an API key. */
  tenantId?: string | undefined;
  where?: Condition<N>;
  offset?: number;
  /** Default: all. 0 only counts. */
  limit?: number;
  /** Where counting may stop: a larger `total` may be returned as this. Default: nowhere. */
  countTo?: number;
  /** Ends a page of one tenant after the record that reaches this number of stored bytes. Records in memory count nothing. */
  maxBytes?: number;
}

export interface Found<R> {
  records: Stored<R>[];
  total: number;
  /** From when on the collection has every record of the tenant, in ms since 1970; present if older ones were dropped. */
  completeFrom?: number;
  /** Where the next query goes on after `maxBytes`; absent when the page is complete. */
  nextOffset?: number;
}

/**
 * Inserts a record. Conflicts if its id exists, or if another record of the tenant meets `unless`. The store owns the record from
 * then on: never change it, or insert it into another store.
 */
export type Insert<N extends CollectionName = CollectionName> = {
  [C in N]: { insert: C; record: Records[C]; unless?: Condition<C> };
}[N];

/** Replaces a record by a changed copy of what was read. Conflicts if the stored record has another revision. */
export type Replace<N extends CollectionName = CollectionName> = {
  [C in N]: { replace: C; record: Stored<Records[C]>; unless?: Condition<C> };
}[N];

/** Removes a record. Conflicts if it does not exist or, if `revision` is given, has another one. */
export interface Remove {
  remove: CollectionName;
  tenantId: string;
  id: string;
  revision?: number;
}

/** Removes everything of a tenant, or everything. What follows in the same commit stays. */
type Clear = { clear: 'tenant'; tenantId: string } | { clear: 'everything' };

/** Changes nothing. Conflicts if the record does not exist or, if `revision` is given, has another one. */
export interface Require {
  require: CollectionName;
  tenantId: string;
  /** Default: that of the tenant. */
  id?: string;
  revision?: number;
}

export type Change = Insert | Replace | Remove | Clear | Require;

export type Entry = Insert<'log' | 'activity'>;

/** Looks at a store, however it fares. Never rejects, and resolves within a second or two. */
export type StoreProbe = () => Promise<StoreHealth>;
