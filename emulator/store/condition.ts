import type { CollectionName } from './records.js';

/** The terms of the collections that have any. Values of `metadata.<key>` are compared without case. */
interface IndexedTerms {
  applications: 'type';
  reactors: 'name' | 'application';
  /** `container` has every ancestor as a value too; `search` is exact; `metadata` has its keys as values. */
  tokens:
    | 'type'
    | 'container'
    | 'metadata'
    | 'search'
    | 'fingerprint'
    | 'created_by'
    | 'modified_by'
    | `metadata.${string}`;
  log: 'entity_type' | 'entity_id' | 'actor_id' | 'operation' | 'transform';
  activity: 'month' | 'deleted' | 'key';
  idempotency: 'token' | 'application';
  deliveries: 'token' | 'event' | 'order';
}

export interface Terms extends IndexedTerms, Record<Exclude<CollectionName, keyof IndexedTerms>, never> {}

/** The ordered terms of the collections that have others than `created_at`, or none. */
interface SpecialOrder {
  settings: never;
  tokens: 'created_at' | 'modified_at' | 'expires_at' | 'cvc_expires_at';
  'token-intents': 'created_at' | 'expires_at';
  keys: 'created_at' | 'expires_at';
  sessions: 'created_at' | 'expires_at';
  activity: never;
  idempotency: 'created_at' | 'expires_at';
  deliveries: 'created_at' | 'next_attempt_at';
}

/** Terms that are times, in milliseconds since 1970. A record without the term is in no range. */
export interface OrderedTerms
  extends SpecialOrder,
    Record<Exclude<CollectionName, keyof SpecialOrder>, 'created_at'> {}

/** Bounds in milliseconds since 1970; at least one. */
export interface Bounds {
  gt?: number;
  gte?: number;
  lt?: number;
  lte?: number;
}

/** Terms that may be searched with a trailing wildcard: a record has at most one value of each. */
export type TextTerm<N extends CollectionName> = 'id' | Extract<Terms[N], 'type' | `metadata.${string}`>;

/** What to look for; answered from indexes. */
export type Condition<N extends CollectionName = CollectionName> =
  | { all: Condition<N>[] }
  | { any: Condition<N>[] }
  | { not: Condition<N> }
  | { ids: string[] }
  | { term: Terms[N]; is: string }
  /** A trailing wildcard. */
  | { term: TextTerm<N>; prefix: string }
  | ({ range: OrderedTerms[N] } & Bounds);
