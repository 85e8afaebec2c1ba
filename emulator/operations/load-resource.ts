import { type OperationId, operationRow } from '../../src/contract/operations.js';
import { UUID_PATTERN } from '../../src/contract/uuid.js';
import { problem } from '../problems/problem.js';
import type { Records, Stored, TokenRecord } from '../store/records.js';
import type { Call } from './call.js';
import type { Context } from './context.js';
import type { ResourceName } from './handler.js';
import { isExpired } from './token-expiry.js';

/**
 * Loads the record that a path id names.
 * @throws ProblemError 404 when the id is unknown, belongs to another tenant, has expired, or is not a UUID where one is
 *   required
 */
type LoadResource = (
  id: string,
  call: Pick<Call, 'tenant'>,
  services: Pick<Context, 'store' | 'clock'>,
) => Promise<Stored<Records[ResourceName]>>;

const NOUNS: Record<ResourceName, string> = {
  tokens: 'token',
  reactors: 'reactor',
  applications: 'application',
  webhooks: 'webhook',
  proxies: 'proxy',
};

const UUID = new RegExp(`^${UUID_PATTERN}$`, 'i');

/** Returns the loader of an operation; undefined when its path has no id. */
export function resourceLoader(operation: OperationId): LoadResource | undefined {
  const { path, uuid } = operationRow(operation);
  if (!path.includes('{id}')) return undefined;
  const collection = path.split('/')[1] as ResourceName;
  return async (id, { tenant }, { store, clock }) => {
    // UUIDs are stored in lower case, but a client may send capitals.
    const key = uuid ? id.toLowerCase() : id;
    const record = uuid && !UUID.test(key) ? undefined : await store.get(collection, tenant.id, key);
    // Only tokens expire. An expired token does not exist for callers, even before the sweep deletes it.
    if (record && !isExpired(record as Partial<TokenRecord>, clock.now())) return record;
    throw problem('notFound', `There is no ${NOUNS[collection]} with this id.`);
  };
}
