import { audit } from '../../services/audit-log.js';
import type { Handler } from '../handler.js';
import { retryOnConflict } from '../retry-on-conflict.js';
import { requirePermissionOnAny } from './container-permissions.js';
import { deletionChanges } from './deletion-changes.js';

/** DELETE /tokens/{id}. The data is erased; the audit entries remain. */
export const deleteToken: Handler<'tokens.delete'> = async ({ resource }, call, context) => {
  await retryOnConflict('tokens', resource, context, async (token) => {
    requirePermissionOnAny('token:delete', token, call);
    const entry = audit(call, { entity: 'token', operation: 'delete', id: token.id }, context);
    await context.store.commit([...(await deletionChanges([token], context)), entry]);
  });
  return { status: 204, body: undefined };
};
