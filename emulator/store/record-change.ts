import type { CollectionName, Records, Stored } from './records.js';

interface Numbered {
  /** Every change has the next one, over all collections. */
  revision: number;
}

export interface PutChange extends Numbered {
  op: 'put';
  collection: CollectionName;
  tenantId: string;
  record: Stored<Records[CollectionName]>;
}

interface RemoveChange extends Numbered {
  op: 'remove';
  collection: CollectionName;
  tenantId: string;
  id: string;
}

export interface ClearChange extends Numbered {
  op: 'clear';
  /** Absent: everything. */
  tenantId?: string;
}

/** A change whose preconditions hold. Applying it reads nothing: what the journal has must become visible. */
export type RecordChange = PutChange | RemoveChange | ClearChange;

/** Sets the revision of a record in place; the store owns the record from then on. */
export function withRevision<R extends object>(record: R, revision: number): Stored<R> {
  return Object.assign(record, { revision });
}
