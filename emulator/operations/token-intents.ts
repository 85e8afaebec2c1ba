import { LIMITS } from '../../src/contract/limits.js';
import type { TokenIntent } from '../../src/contract/schemas/index.js';
import { RequestBudget } from '../expressions/index.js';
import { formatTimestamp } from '../lib/timestamps.js';
import { audit } from '../services/audit-log.js';
import type { TokenIntentRecord } from '../store/records.js';
import { requirePermissionOnAll, requirePermissionOnAny } from './authorize.js';
import type { Handlers } from './context.js';
import { retryOnConflict } from './retry-on-conflict.js';
import { asToken, intentRemovals } from './tokens/convert-token-intent.js';
import { tokenDetails } from './tokens/details.js';
import { prepareToken } from './tokens/prepare-token.js';

function serialize({ id, tenant_id, type, data, fingerprint, ...rest }: TokenIntentRecord): TokenIntent {
  const { expires_at, created_by, created_at } = rest;
  return {
    ...{ id, tenant_id, type },
    ...tokenDetails({ type, data }),
    ...(fingerprint !== undefined && { fingerprint }),
    ...{ expires_at, created_by, created_at },
  };
}

export const tokenIntentHandlers = {
  /** POST /token-intents (decisions.md, "The family as it is today"). The data is checked as that of a token. */
  async 'tokenIntents.create'({ body }, call, context) {
    const now = context.clock.now();
    const { record } = await prepareToken(body, call, context, new RequestBudget(now, call.tenant.id));
    requirePermissionOnAll('token-intent:create', { containers: record.containers }, call);
    const { type, tenant_id, data, fingerprint, created_by = '', created_at } = record;
    const intent: TokenIntentRecord = {
      ...{ id: context.ids.uuid(), tenant_id, type, data },
      ...(fingerprint !== undefined && { fingerprint }),
      expires_at: formatTimestamp(now + LIMITS.tokenIntentLifetimeMs),
      ...{ created_by, created_at },
    };
    await context.store.commit([
      { require: 'tenants', tenantId: tenant_id },
      { insert: 'token-intents', record: intent },
      audit(call, { entity: 'token-intent', operation: 'create', id: intent.id }, context),
    ]);
    call.tokenIds?.add(intent.id);
    return { status: 201, body: serialize(intent) };
  },
  async 'tokenIntents.get'({ resource }, call, context) {
    requirePermissionOnAny('token:read', asToken(resource), call);
    context.store.record([
      audit(call, { entity: 'token-intent', operation: 'read', id: resource.id }, context),
    ]);
    return { status: 200, body: serialize(resource) };
  },
  async 'tokenIntents.delete'({ resource }, call, context) {
    requirePermissionOnAny('token:delete', asToken(resource), call);
    const entry = audit(call, { entity: 'token-intent', operation: 'delete', id: resource.id }, context);
    await retryOnConflict('token-intents', resource, context, async (intent) =>
      context.store.commit([...(await intentRemovals([intent], context)), entry]),
    );
    return { status: 204, body: undefined };
  },
} satisfies Partial<Handlers>;
