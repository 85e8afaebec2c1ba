import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { LIMITS } from '../../src/contract/limits.js';
import { formatTimestamp } from '../lib/timestamps.js';
import { validationProblem } from '../problems/problem.js';
import { audit } from '../services/audit-log.js';
import type { KeyRecord } from '../store/records.js';
import { requirePermissionOnAll } from './authorize.js';
import type { Handler } from './context.js';
import { isExpired } from './token-expiry.js';
import { passphraseOf } from './tokens/decrypt-data.js';
import { parseExpiry } from './tokens/lifetime.js';

const MODULUS_BITS = 2_048;

/** POST /keys (decisions.md, "The family as it is today"). Its private half is stored encrypted. */
const create: Handler<'keys.create'> = async ({ body }, call, context) => {
  const now = context.clock.now();
  const { tenant } = call;
  const expires_at =
    parseExpiry(body.expires_at, now) ?? formatTimestamp(now + LIMITS.encryptionKeyLifetimeMs);
  const id = context.ids.uuid();
  const { records } = await context.store.find('keys', { tenantId: tenant.id });
  if (records.length >= LIMITS.encryptionKeys)
    throw validationProblem({ body: [`a tenant may have at most ${LIMITS.encryptionKeys} keys`] });
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: MODULUS_BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: {
      ...{ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: passphraseOf(tenant, id) },
    },
  });
  const created = { created_by: call.application.id, created_at: context.clock.timestamp() };
  const record: KeyRecord = { id, tenant_id: tenant.id, private_key: privateKey, expires_at, ...created };
  await context.store.commit([
    { require: 'tenants', tenantId: tenant.id },
    { insert: 'keys', record },
    audit(call, { entity: 'key', operation: 'create', id }, context),
  ]);
  return { status: 201, body: { ...serialize(record), public_key_pem: publicKey } };
};

const list: Handler<'keys.list'> = async (_request, { tenant }, { store, clock }) => {
  const { records } = await store.find('keys', { tenantId: tenant.id });
  return { status: 200, body: records.filter((key) => !isExpired(key, clock.now())).map(serialize) };
};

const get: Handler<'keys.get'> = async ({ resource }) => ({ status: 200, body: serialize(resource) });

const remove: Handler<'keys.delete'> = async ({ resource: { id, tenant_id } }, call, context) => {
  // It may have encrypted tokens of any container.
  requirePermissionOnAll('token:delete', { containers: ['/'] }, call);
  await context.store.commit([
    { remove: 'keys', tenantId: tenant_id, id },
    audit(call, { entity: 'key', operation: 'delete', id }, context),
  ]);
  return { status: 204, body: undefined };
};

const serialize = ({ id: key_id, expires_at }: KeyRecord) => ({ key_id, expires_at });

export const keyHandlers = {
  'keys.create': create,
  'keys.list': list,
  'keys.get': get,
  'keys.delete': remove,
};
