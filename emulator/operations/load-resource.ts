import type { OperationId } from '../../src/contract/operations.js';
import { operationRow } from '../../src/contract/operations.js';
import { problem } from '../problems/problem.js';
import type { Records, Stored, TokenRecord } from '../store/records.js';
import type { Context } from './context.js';
import type { Call, ResourceName } from './handler.js';
import { isExpired } from './tokens/lifetime.js';

/** Loads the record that a path id names. */
export type LoadResource = (
  id: string,
  call: Pick<Call, 'tenant'>,
  context: Context,
) => Promise<Stored<Records[ResourceName]>>;

const NOUNS: Record<ResourceName, string> = {
  tokens: 'token',
  reactors: 'reactor',
  applications: 'application',
};

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The loader for an operation whose path holds an id.
 * @returns undefined when the path holds none
 * @throws ProblemError 404 for an id that is unknown, of another tenant, expired, or no UUID where one is expected
 */
export function resourceLoader(operation: OperationId): LoadResource | undefined {
  const { path, uuid } = operationRow(operation);
  if (!path.includes('{id}')) return undefined;
  const collection = path.split('/')[1] as ResourceName;
  return async (id, call, context) => {
    // UUIDs are written in lower case; a client may well send capitals.
    const wanted = uuid ? id.toLowerCase() : id;
    const record =
      uuid && !UUID.test(wanted) ? undefined : await context.store.get(collection, call.tenant.id, wanted);
    // A token stops existing for callers at its expiry, before the sweep removes it; nothing else expires.
    if (record && !isExpired(record as Partial<TokenRecord>, context.clock.now())) return record;
    throw problem('notFound', `There is no ${NOUNS[collection]} with this id.`);
  };
}
