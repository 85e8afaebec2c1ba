import { problem } from '../problems/problem.js';
import { ConflictError } from '../store/errors.js';
import type { CollectionName, Records, Stored } from '../store/records.js';
import type { Context } from './context.js';
import type { ResourceName } from './handler.js';

/**
 * Runs an attempt to replace a record, again with the record as it is now when another change came in between. Each
 * time round somebody else has succeeded, so that this ends.
 *
 * @throws ProblemError 404 when the record is gone meanwhile
 */
export async function retryOnConflict<N extends ResourceName | 'tenants', Result>(
  collection: N,
  record: Stored<Records[N]>,
  { store }: Pick<Context, 'store'>,
  attempt: (record: Stored<Records[N]>) => Promise<Result>,
): Promise<Result> {
  const tenantId = 'tenant_id' in record ? record.tenant_id : record.id;
  let current: Stored<Records[N]> | undefined = record;
  while (current) {
    try {
      return await attempt(current);
    } catch (error) {
      if (!isConflict(error, record.id)) throw error;
      current = await store.get(collection, tenantId, record.id);
    }
  }
  throw problem('notFound', 'It has been deleted meanwhile.');
}

/** What goes with a token and may change by itself meanwhile. */
const COMPANIONS: readonly CollectionName[] = ['idempotency', 'deliveries'];

function isConflict(error: unknown, id: string): boolean {
  return (
    error instanceof ConflictError &&
    (error.id === id || COMPANIONS.includes(error.collection)) &&
    (error.reason === 'revision' || error.reason === 'missing')
  );
}
