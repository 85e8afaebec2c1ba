import { LIMITS } from '../../src/contract/limits.js';
import { hashKey, isKeyExpired, sessionPrefix } from '../access/application-keys.js';
import { formatTimestamp } from '../lib/timestamps.js';
import { problem, validationProblem } from '../problems/problem.js';
import { audit } from '../services/audit-log.js';
import { requireOwnAccess } from './authorize.js';
import type { Handlers } from './context.js';
import { retryOnConflict } from './retry-on-conflict.js';
import { parseExpiry } from './tokens/lifetime.js';

export const sessionHandlers = {
  /** POST /sessions (decisions.md, "The family as it is today"). The nonce is the hash of the key, so that neither tells the key. */
  async 'sessions.create'(_request, call, context) {
    const { tenant, application } = call;
    const session_key = context.ids.secret(sessionPrefix(application.id));
    const nonce = hashKey(session_key);
    const expires_at = formatTimestamp(context.clock.now() + LIMITS.sessionLifetimeMs.default);
    const { id: application_id, tenant_id } = { ...application, tenant_id: tenant.id };
    const created_at = context.clock.timestamp();
    await context.store.commit([
      { require: 'applications', tenantId: tenant_id, id: application_id },
      { insert: 'sessions', record: { id: nonce, tenant_id, application_id, expires_at, created_at } },
      audit(call, { entity: 'session', operation: 'create', id: nonce }, context),
    ]);
    return { status: 201, body: { session_key, nonce, expires_at } };
  },
  /** POST /sessions/authorize. What it grants takes the place of what was granted before, and of the responses stored under it. */
  async 'sessions.authorize'({ body }, call, context) {
    const { nonce, permissions, rules } = body;
    const granted = { ...(permissions && { permissions }), ...(rules && { rules }) };
    requireOwnAccess(granted, call);
    const now = context.clock.now();
    const session = await context.store.get('sessions', call.tenant.id, nonce);
    if (!session || isKeyExpired(session, now))
      throw problem('notFound', 'There is no session with this nonce.');
    const expires_at = parseExpiry(body.expires_at, now) ?? session.expires_at;
    if (Date.parse(expires_at) > now + LIMITS.sessionLifetimeMs.maximum)
      throw validationProblem({ expires_at: ['must be within 24 hours'] });
    await retryOnConflict('sessions', session, context, async ({ permissions: _p, rules: _r, ...rest }) => {
      const record = { ...rest, ...granted, authorized_by: call.application.id, expires_at };
      const entry = audit(call, { entity: 'session', operation: 'update', id: nonce }, context);
      const discards = await context.idempotency.discardForApplication(call.tenant.id, nonce);
      await context.store.commit([{ replace: 'sessions', record }, ...discards, entry]);
    });
    return { status: 204, body: undefined };
  },
} satisfies Partial<Handlers>;
