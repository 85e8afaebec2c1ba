import { constants, sign } from 'node:crypto';
import { generateRsaKey, tenantTurns } from '../../lib/rsa-keys.js';
import { ConflictError } from '../../store/errors.js';
import type { Store } from '../../store/store.js';

const inTurn = tenantTurns();

/** Returns the RSA key that signs the events of a tenant by version 2, in PEM; undefined without the tenant. */
export async function signingKeyOf(tenantId: string, store: Pick<Store, 'get' | 'commit'>) {
  const tenant = await store.get('tenants', tenantId, tenantId);
  return tenant && (tenant.webhook_signing_key ?? inTurn(tenantId, () => makeSigningKey(tenantId, store)));
}

async function makeSigningKey(tenantId: string, store: Pick<Store, 'get' | 'commit'>) {
  const tenant = await store.get('tenants', tenantId, tenantId);
  if (!tenant || tenant.webhook_signing_key !== undefined) return tenant?.webhook_signing_key;
  const { privateKey } = await generateRsaKey();
  try {
    const record = { ...tenant, webhook_signing_key: privateKey };
    await store.commit([{ replace: 'tenants', record }]);
    return privateKey;
  } catch (error) {
    if (error instanceof ConflictError) return makeSigningKey(tenantId, store);
    throw error;
  }
}

/** Whether it signs by version 2: an RSA key in PEM, not a secret. */
export const isSigningKey = (secret: string): boolean => secret.startsWith('-----BEGIN');

/** Signs the body of an event whose keys are sorted. @returns the signature in base64 */
export const signSorted = (body: string, key: string): string =>
  sign('sha256', Buffer.from(body), {
    key,
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  }).toString('base64');
