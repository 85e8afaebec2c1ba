import type { QueryConfig, QueryResult } from 'pg';
import type { CommittedRecords } from '../commit-validator.js';
import type { Condition } from '../condition.js';
import type { RecordName } from '../encryption.js';
import type { CollectionName } from '../records.js';
import type { Change, Entry } from '../store.js';
import { firstMatchStatement } from './find-sql.js';
import { isIndexed, recordKey } from './record-row.js';
import { tenantOf } from './tenant-locks.js';
import { decodeText, encodeText, type TermHasher } from './terms.js';

/** What the preconditions of a batch need to know of the database. Looked up in its transaction, after the locks. */
export class PrefetchedRecords implements CommittedRecords {
  readonly statements: QueryConfig[];
  readonly #conditions: Condition[] = [];
  readonly #matches = new Map<Condition, string | undefined>();
  readonly #revisions = new Map<string, number>();

  constructor(commits: readonly Change[][], entries: readonly Entry[], hasher: TermHasher) {
    const changes = [...commits.flat(), ...entries.filter(({ insert }) => insert === 'activity')];
    const names = changes.flatMap((change) => nameOf(change) ?? []);
    // The id of a log entry is always new.
    const keys = new Set(names.flatMap((name) => (isIndexed(name.collection) ? keyOf(name) : [])));
    const text = 'SELECT key, revision FROM tokenctl.records WHERE key = ANY($1::text[])';
    this.statements = [{ name: 'revisions', text, values: [[...keys]] }];
    for (const { collection, tenantId, id, unless } of names) {
      if (unless === undefined) continue;
      this.#conditions.push(unless);
      this.statements.push(firstMatchStatement(collection, tenantId, unless, encodeText(id), hasher));
    }
  }

  /** @param results those of the statements */
  read([revisions, ...matches]: readonly QueryResult[]): void {
    for (const { key, revision } of revisions?.rows ?? []) this.#revisions.set(key, Number(revision));
    for (const [i, where] of this.#conditions.entries()) {
      const id: string | undefined = matches[i]?.rows[0]?.id;
      this.#matches.set(where, id === undefined ? undefined : decodeText(id));
    }
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

/** The record that a change is about; undefined if it is about none. */
function nameOf(change: Change): (RecordName & { unless?: Condition | undefined }) | undefined {
  if ('clear' in change) return undefined;
  const tenantId = tenantOf(change);
  if ('require' in change) return { collection: change.require, tenantId, id: change.id ?? tenantId };
  if ('remove' in change) return { collection: change.remove, tenantId, id: change.id };
  const collection = 'insert' in change ? change.insert : change.replace;
  const { record, unless } = change;
  return { collection, tenantId, id: record.id, unless };
}

const keyOf = ({ collection, tenantId, id }: RecordName): string => recordKey(collection, tenantId, id);
