import type { Permission } from '../../../src/contract/permissions.js';
import { removalOf } from '../../services/activity.js';
import { audit, systemAudit } from '../../services/audit-log.js';
import type { Stored, TokenRecord } from '../../store/records.js';
import type { Change } from '../../store/store.js';
import { requirePermissionOnAny } from '../authorize.js';
import type { Context, Handler } from '../context.js';
import { retryOnConflict } from '../retry-on-conflict.js';

/** DELETE /tokens/{id}, or /documents/{id}. The data is erased; the audit entries remain. */
export const deleteWith =
  (permission: Permission): Handler<'tokens.delete'> =>
  async ({ resource }, call, context) => {
    await retryOnConflict('tokens', resource, context, async (token) => {
      requirePermissionOnAny(permission, token, call);
      const entry = audit(call, { entity: 'token', operation: 'delete', id: token.id }, context);
      await context.store.commit([...(await deletionChanges([token], context)), entry]);
    });
    return { status: 204, body: undefined };
  };

/** The services that change tokens: an insert deletes expired tokens whose ids it takes. */
export type TokenServices = Pick<
  Context,
  'store' | 'clock' | 'clocks' | 'ids' | 'idempotency' | 'webhookQueue'
>;

/** Creates the changes that delete tokens, and the stored responses and pending callbacks with their data. */
async function deletionChanges(tokens: readonly Stored<TokenRecord>[], services: TokenServices) {
  const changes = removalOf(tokens, services.clock.now()).map(async (change): Promise<Change[]> => {
    if ('remove' in change) return [change];
    // A token whose id was already deleted in this month was counted then.
    const { tenant_id, id } = change.record;
    return (await services.store.get('activity', tenant_id, id)) ? [] : [change];
  });
  return [...(await Promise.all(changes)).flat(), ...(await cachedResponseDeletions(tokens, services))];
}

/** Creates the changes that delete expired tokens; their audit entries name the system as actor. */
export async function expirationChanges(tokens: readonly Stored<TokenRecord>[], services: TokenServices) {
  const entries = tokens.map(({ tenant_id, id }) =>
    systemAudit(tenant_id, { entity: 'token', operation: 'delete', id }, services),
  );
  return [...(await deletionChanges(tokens, services)), ...entries];
}

export type CachedResponses = Pick<Context, 'idempotency' | 'webhookQueue'>;

/** Creates the changes that delete the stored responses and pending callbacks with data of tokens or token intents. */
export async function cachedResponseDeletions(
  tokens: readonly Pick<TokenRecord, 'id' | 'tenant_id'>[],
  { idempotency, webhookQueue }: CachedResponses,
): Promise<Change[]> {
  const tenants = [...new Set(tokens.map(({ tenant_id }) => tenant_id))];
  const changes = tenants.map(async (tenant) => {
    const ids = tokens.filter(({ tenant_id }) => tenant_id === tenant).map(({ id }) => id);
    return [
      ...(await idempotency.discardForTokens(tenant, ids)),
      ...(await webhookQueue.discardForTokens(tenant, ids)),
    ];
  });
  return (await Promise.all(changes)).flat();
}
