import type { QueryConfig, QueryResult } from 'pg';
import { collectionOf } from '../collections.js';
import type { CommittedRecords } from '../commit-validator.js';
import type { Condition } from '../condition.js';
import type { CollectionName } from '../records.js';
import type { Change, Entry, Insert, Replace } from '../store.js';
import { firstMatchStatement } from './find-sql.js';
import { isIndexed, recordKey, type ScopedHasher } from './record-row.js';
import { decodeId, encodeId } from './text.js';

/** Looks up what the preconditions of a batch need to know of the database. */
export class Prefetch {
  /** To be sent in the transaction of the batch, which excludes all other commits of its tenants. */
  readonly statements: QueryConfig[];
  /** Those of the first statements. */
  readonly #conditions: Condition[];

  constructor(commits: readonly Change[][], entries: readonly Entry[], hasher: ScopedHasher) {
    const changes = [...commits.flat(), ...entries.filter(({ insert }) => insert === 'activity')];
    const unlesses = changes.flatMap((change) => unlessOf(change) ?? []);
    this.#conditions = unlesses.map(({ where }) => where);
    this.statements = [...unlesses.map((unless) => matchStatement(unless, hasher)), ...revisions(changes)];
  }

  /** @param results those of the statements */
  read(results: readonly QueryResult[]): PrefetchedRecords {
    const matches = new Map(this.#conditions.map((where, i) => [where, firstId(results[i])]));
    const { rows = [] }: { rows?: { key: string; revision: string }[] } =
      results[this.#conditions.length] ?? {};
    return new PrefetchedRecords(new Map(rows.map(({ key, revision }) => [key, Number(revision)])), matches);
  }
}

/** What a batch looked up at its beginning. */
export class PrefetchedRecords implements CommittedRecords {
  readonly #revisions: ReadonlyMap<string, number>;
  readonly #matches: ReadonlyMap<Condition, string | undefined>;

  constructor(revisions: ReadonlyMap<string, number>, matches: ReadonlyMap<Condition, string | undefined>) {
    this.#revisions = revisions;
    this.#matches = matches;
  }

  revisionOf(collection: CollectionName, tenantId: string, id: string): number | undefined {
    return this.#revisions.get(recordKey(collection, tenantId, id));
  }

  /** Whether the database has a record with a key that the batch looks for. */
  hasKey(key: string): boolean {
    return this.#revisions.has(key);
  }

  /** Knows the conditions of the batch only. */
  firstMatch(_collection: CollectionName, _tenantId: string, where: Condition): string | undefined {
    return this.#matches.get(where);
  }
}

interface Unless {
  collection: CollectionName;
  tenantId: string;
  id: string;
  where: Condition;
}

function unlessOf(change: Change): Unless | undefined {
  if (!('insert' in change || 'replace' in change)) return undefined;
  const collection = collectionNameOf(change);
  const { record, unless: where } = change;
  return where && { collection, tenantId: collectionOf(collection).tenantOf(record), id: record.id, where };
}

function collectionNameOf(change: Insert | Replace): CollectionName {
  return 'insert' in change ? change.insert : change.replace;
}

function matchStatement({ collection, tenantId, id, where }: Unless, hasher: ScopedHasher): QueryConfig {
  return firstMatchStatement(collection, tenantId, where, encodeId(id), hasher);
}

function firstId(result: QueryResult<{ id: string }> | undefined): string | undefined {
  const id = result?.rows[0]?.id;
  return id === undefined ? undefined : decodeId(id);
}

/** The key of the record that a change looks for; undefined if it looks for none. */
function keyLookedFor(change: Change): string | undefined {
  if ('clear' in change) return undefined;
  if ('require' in change) return recordKey(change.require, change.tenantId, change.id ?? change.tenantId);
  if ('remove' in change) return recordKey(change.remove, change.tenantId, change.id);
  const name = collectionNameOf(change);
  const { tenantOf } = collectionOf(name);
  // The id of a log entry is always new.
  return isIndexed(name) ? recordKey(name, tenantOf(change.record), change.record.id) : undefined;
}

/** Returns no statement if no key is looked for. */
function revisions(changes: readonly Change[]): QueryConfig[] {
  const keys = new Set(changes.flatMap((change) => keyLookedFor(change) ?? []));
  if (keys.size === 0) return [];
  return [
    {
      name: 'revisions',
      text: 'SELECT key, revision FROM tokenctl.records WHERE key = ANY($1::text[])',
      values: [[...keys]],
    },
  ];
}
