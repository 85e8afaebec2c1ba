import { LIMITS } from '../../src/contract/limits.js';
import { generateRsaKey, tenantTurns } from '../lib/rsa-keys.js';
import { formatTimestamp } from '../lib/timestamps.js';
import { validationProblem } from '../problems/problem.js';
import { audit } from '../services/audit-log.js';
import type { KeyRecord } from '../store/records.js';
import { requirePermissionOnAll } from './authorize.js';
import type { Context, Handlers } from './context.js';
import { isExpired } from './token-expiry.js';
import { passphraseOf } from './tokens/decrypt-data.js';
import { parseExpiry } from './tokens/lifetime.js';

const inTurn = tenantTurns();

/** Returns what drops keys that are kept though they have expired, to make room for one. @throws ProblemError 400 */
async function makeRoom(tenantId: string, { store, clock }: Pick<Context, 'store' | 'clock'>) {
  const { records } = await store.find('keys', { tenantId });
  const expired = records.filter((key) => isExpired(key, clock.now()));
  if (records.length - expired.length >= LIMITS.encryptionKeys)
    throw validationProblem({ body: [`a tenant may have at most ${LIMITS.encryptionKeys} keys`] });
  const surplus = Math.max(0, records.length + 1 - LIMITS.encryptionKeys);
  return expired.slice(expired.length - surplus).map(({ id }) => ({ remove: 'keys', tenantId, id }) as const);
}

const serialize = ({ id: key_id, expires_at }: KeyRecord) => ({ key_id, expires_at });

export const keyHandlers = {
  'keys.create': ({ body }, call, context) =>
    inTurn(call.tenant.id, async () => {
      const now = context.clock.now();
      const { tenant } = call;
      const expires_at =
        parseExpiry(body.expires_at, now) ?? formatTimestamp(now + LIMITS.encryptionKeyLifetimeMs);
      const id = context.ids.uuid();
      const dropped = await makeRoom(tenant.id, context);
      const encryption = { cipher: 'aes-256-cbc', passphrase: passphraseOf(tenant, id) };
      const { publicKey, privateKey } = await generateRsaKey(encryption);
      const created = { created_by: call.application.id, created_at: context.clock.timestamp() };
      const record: KeyRecord = { id, tenant_id: tenant.id, private_key: privateKey, expires_at, ...created };
      await context.store.commit([
        { require: 'tenants', tenantId: tenant.id },
        ...dropped,
        { insert: 'keys', record },
        audit(call, { entity: 'key', operation: 'create', id }, context),
      ]);
      return { status: 201, body: { ...serialize(record), public_key_pem: publicKey } };
    }),
  async 'keys.list'(_request, { tenant }, { store, clock }) {
    const { records } = await store.find('keys', { tenantId: tenant.id });
    return { status: 200, body: records.filter((key) => !isExpired(key, clock.now())).map(serialize) };
  },
  'keys.get': async ({ resource }) => ({ status: 200, body: serialize(resource) }),
  async 'keys.delete'({ resource: { id, tenant_id } }, call, context) {
    // It may have encrypted tokens of any container.
    if (call.application.type !== 'management')
      requirePermissionOnAll('token:delete', { containers: ['/'] }, call);
    await context.store.commit([
      { remove: 'keys', tenantId: tenant_id, id },
      audit(call, { entity: 'key', operation: 'delete', id }, context),
    ]);
    return { status: 204, body: undefined };
  },
} satisfies Partial<Handlers>;
