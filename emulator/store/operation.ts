import type { CollectionName, Records, Stored } from './records.js';

/**
 * A change that passed its preconditions: what goes to the journal and into the tables. `was` is the record that is
 * replaced or removed: once the journal has a change, nothing must be read any more that a disk could refuse.
 */
export type Operation =
  | {
      [N in CollectionName]: {
        op: 'put';
        collection: N;
        tenantId: string;
        record: Stored<Records[N]>;
        was?: Stored<Records[N]> | undefined;
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
