import { systemAudit } from '../../services/audit-log.js';
import { removalOf } from '../../store/activity.js';
import type { Stored, TokenRecord } from '../../store/records.js';
import type { Change, Insert, Remove } from '../../store/store.js';
import type { Context } from '../context.js';

/**
 * The changes that take tokens out of the storage with all that holds their data: stored answers of idempotent
 * requests and results still to be delivered go with the token (decisions.md, "Headers" and "Expiration and purge").
 */
export async function deletionChanges(
  tokens: readonly Stored<TokenRecord>[],
  context: Context,
): Promise<Change[]> {
  const changes = await Promise.all(
    removalOf(tokens, new Date(context.clock.now())).map((change) => skipIfCounted(change, context)),
  );
  return [...changes.flat(), ...(await cachedResponseDeletions(tokens, context))];
}

/** An id that was deleted, taken again and is deleted once more in the same month is counted already. */
async function skipIfCounted(change: Remove | Insert<'activity'>, { store }: Context): Promise<Change[]> {
  if ('remove' in change) return [change];
  const { tenant_id, id } = change.record;
  return (await store.get('activity', tenant_id, id)) ? [] : [change];
}

/** The same for tokens whose time has come; their audit entry names the system. */
export async function expirationChanges(
  tokens: readonly Stored<TokenRecord>[],
  context: Context,
): Promise<Change[]> {
  const entries = tokens.map(({ tenant_id, id }) =>
    systemAudit(tenant_id, { entity: 'token', operation: 'delete', id }, context),
  );
  return [...(await deletionChanges(tokens, context)), ...entries];
}

/** Takes away the stored answers and results to be delivered that show one of the tokens, whatever their tenants. */
export async function cachedResponseDeletions(
  tokens: readonly TokenRecord[],
  { idempotency, callbacks }: Context,
): Promise<Change[]> {
  const tenants = [...new Set(tokens.map(({ tenant_id }) => tenant_id))];
  const changes = tenants.map(async (tenant) => {
    const ids = tokens.filter(({ tenant_id }) => tenant_id === tenant).map(({ id }) => id);
    return [
      ...(await idempotency.discardForTokens(tenant, ids)),
      ...(await callbacks.discardForTokens(tenant, ids)),
    ];
  });
  return (await Promise.all(changes)).flat();
}
