import type { CollectionName, Records, Stored } from './records.js';

/** A change that passed its preconditions: what goes to the journal and into the tables. */
export type Operation =
  | {
      [N in CollectionName]: { op: 'put'; collection: N; tenantId: string; record: Stored<Records[N]> };
    }[CollectionName]
  | { op: 'remove'; collection: CollectionName; tenantId: string; id: string; revision: number }
  /** Without a tenant: everything. */
  | { op: 'clear'; tenantId?: string; revision: number };
