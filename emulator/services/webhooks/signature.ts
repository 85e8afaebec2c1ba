import { createHmac } from 'node:crypto';
import type { DeliveryRecord } from '../../store/records.js';
import type { Store } from '../../store/store.js';

/**
 * Signs a callback, so that its receiver can verify sender and time (decisions.md, "Reactors").
 * @param time milliseconds since 1970
 * @returns `t=<unix seconds>,v1=<hex HMAC-SHA-256 of "t.body">`
 */
export function signBody(body: string, secret: string, time: number): string {
  const seconds = Math.floor(time / 1000);
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${digest}`;
}

/** Returns the secret that signs a delivery; undefined when its tenant or webhook was deleted. */
export async function findSecret(
  { tenant_id, event, webhook_secret }: DeliveryRecord,
  store: Pick<Store, 'get'>,
): Promise<string | undefined> {
  const tenant = await store.get('tenants', tenant_id, tenant_id);
  if (!event) return tenant?.webhook_secret;
  // The last event of a tenant is that it was deleted, with its webhooks.
  if (!tenant) return event.type === 'tenant.deleted' ? webhook_secret : undefined;
  return (await store.get('webhooks', tenant_id, event.webhook_id)) && webhook_secret;
}
