import type { Client } from 'pg';
import { collectionOf } from '../collections.js';
import type { CommittedRecords } from '../commit-validator.js';
import type { Condition } from '../condition.js';
import { type IndexKeys, NO_KEYS } from '../index/index-keys.js';
import type { CollectionName } from '../records.js';
import type { Change, Entry, Insert, Replace } from '../store.js';
import { firstMatchStatement } from './find-sql.js';
import { isIndexed, recordKey, type ScopedHasher } from './record-row.js';
import { decodeId, encodeId } from './text.js';

/** What the preconditions of a batch need to know of the database, read at its beginning. */
export class PrefetchedRecords implements CommittedRecords {
  readonly #revisions: ReadonlyMap<string, number>;
  readonly #matches: ReadonlyMap<Condition, string | undefined>;

  private constructor(
    revisions: ReadonlyMap<string, number>,
    matches: ReadonlyMap<Condition, string | undefined>,
  ) {
    this.#revisions = revisions;
    this.#matches = matches;
  }

  /** Reads in the transaction of the batch, which excludes all other commits. */
  static async read(
    client: Client,
    commits: readonly Change[][],
    entries: readonly Entry[],
    hasher: ScopedHasher,
  ): Promise<PrefetchedRecords> {
    const changes = [...commits.flat(), ...entries.filter(({ insert }) => insert === 'activity')];
    const matches = new Map<Condition, string | undefined>();
    for (const change of changes) {
      const unless = unlessOf(change);
      if (unless) matches.set(unless.where, await findMatch(client, unless, hasher));
    }
    return new PrefetchedRecords(await readRevisions(client, changes), matches);
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

  /** The database indexes records by their rows. */
  keysOf(): IndexKeys {
    return NO_KEYS;
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

async function findMatch(
  client: Client,
  { collection, tenantId, id, where }: Unless,
  hasher: ScopedHasher,
): Promise<string | undefined> {
  const { text, values } = firstMatchStatement(collection, tenantId, where, encodeId(id), hasher);
  const { rows } = await client.query<{ id: string }>(text, values);
  return rows[0] && decodeId(rows[0].id);
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

async function readRevisions(client: Client, changes: readonly Change[]): Promise<Map<string, number>> {
  const keys = new Set(changes.flatMap((change) => keyLookedFor(change) ?? []));
  if (keys.size === 0) return new Map();
  const { rows } = await client.query<{ key: string; revision: string }>({
    name: 'revisions',
    text: 'SELECT key, revision FROM tokenctl.records WHERE key = ANY($1::text[])',
    values: [[...keys]],
  });
  return new Map(rows.map(({ key, revision }) => [key, Number(revision)]));
}
