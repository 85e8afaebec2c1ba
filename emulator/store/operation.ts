import type { CollectionName, Records, Stored } from './records.js';
import type { Prepared } from './store.js';

/**
 * A change that passed its preconditions: what goes to the journal and into the tables. `was` is the record that is
 * replaced or removed; a record that is put without it is new. Once the journal has a change, nothing must be looked up
 * any more that a disk could refuse.
 */
export type Operation =
  | {
      [N in CollectionName]: {
        op: 'put';
        collection: N;
        tenantId: string;
        record: Stored<Records[N]>;
        was?: Stored<Records[N]> | undefined;
        prepared?: Prepared | undefined;
      };
    }[CollectionName]
  | {
      op: 'remove';
      collection: CollectionName;
      tenantId: string;
      id: string;
      revision: number;
      was?: Stored<Records[CollectionName]>;
    }
  /** Without a tenant: everything. */
  | { op: 'clear'; tenantId?: string; revision: number };

/** Gives a record that came in its number, in place: it is the store's from then on. */
export function numbered<R extends object>(record: R, revision: number): Stored<R> {
  const stored = record as R & { revision: number };
  stored.revision = revision;
  return stored;
}
