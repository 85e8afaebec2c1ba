import { problem } from '../problems/problem.js';
import { ConflictError } from '../store/errors.js';
import type { CollectionName, Records, Stored } from '../store/records.js';
import type { Store } from '../store/store.js';
import type { ResourceName } from './context.js';

/**
 * Repeats an attempt to replace a record after each concurrent change. It ends: each conflict is the success of another request.
 * @throws ProblemError 404 when the record was deleted
 */
export async function retryOnConflict<N extends ResourceName | 'tenants' | 'sessions', Result>(
  collection: N,
  record: Stored<Records[N]>,
  { store }: { store: Pick<Store, 'get'> },
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
  throw problem('notFound', 'The resource was deleted during the update.');
}

/** Collections with records that are deleted together with a token and may change on their own. */
const DEPENDENT: readonly CollectionName[] = ['idempotency', 'deliveries'];

function isConflict(error: unknown, id: string): boolean {
  return (
    error instanceof ConflictError &&
    (error.id === id || DEPENDENT.includes(error.collection)) &&
    (error.reason === 'revision' || error.reason === 'missing')
  );
}
