import { createHmac } from 'node:crypto';
import { maskCardNumbers } from '../../../src/contract/card-numbers.js';
import { type HeaderNames, JSON_CONTENT_TYPE } from '../../../src/contract/headers.js';
import { LIMITS } from '../../../src/contract/limits.js';
import { withTimeout } from '../../../src/contract/with-timeout.js';
import type { Ids } from '../../lib/ids.js';
import type { Logger } from '../../lib/logger.js';
import type { TenantClocks } from '../../lib/tenant-clocks.js';
import { formatTimestamp } from '../../lib/timestamps.js';
import { sendRequest } from '../../sandbox/network/http-client.js';
import type { DeliveryRecord, EventRecord } from '../../store/records.js';
import type { Store } from '../../store/store.js';
import type { LeakWatch } from '../leaks/leak-watch.js';
import type { RequestRecords } from '../request-record/request-records.js';
import type { TenantRedirects } from '../tenant-redirects.js';
import type { Tracing } from '../tracing/tracing.js';
import { bodyToSend, clockOf } from './delivery-record.js';
import type { DeliveryRoom } from './delivery-room.js';
import { isSigningKey, signSorted } from './signing-key.js';

/** Bytes of a receiver's response that are read. */
const MAX_RESPONSE_BYTES = 65_536;
/** Characters of it that are shown, with card numbers masked. */
const SHOWN_CHARACTERS = 500;

/** What stores, sends and observes deliveries. */
export interface WebhookServices {
  store: Store;
  clocks: TenantClocks;
  ids: Pick<Ids, 'uuid'>;
  headers: Pick<HeaderNames, 'requestId' | 'signature' | 'signatureVersion'>;
  /** Has the hosts that callbacks may be sent to. */
  redirects: Pick<TenantRedirects, 'networkOf'>;
  records: Pick<RequestRecords, 'add'>;
  room: DeliveryRoom;
  logger: Logger;
  tracing?: Pick<Tracing, 'recordDelivery'> | undefined;
  /** undefined: deliveries are not searched for token data. */
  leakWatch?: Pick<LeakWatch, 'observeDelivery'> | undefined;
}

/**
 * Posts a callback, or an event, once. Redirects are not followed, because they could lead to a host that the network policy
 * forbids. Plain http reaches loopback addresses only, even if the name now resolves to another address.
 * @param stored the record of the event, if it is one that is delivered
 * @returns the response: its text only of an event, since a callback may hold token data, which its receiver may repeat
 * @throws Error when there is no response
 */
export async function sendWebhook(
  delivery: DeliveryRecord,
  stored: EventRecord | undefined,
  secret: string,
  signal: AbortSignal,
  {
    headers,
    clocks,
    redirects,
    leakWatch,
  }: Pick<WebhookServices, 'headers' | 'clocks' | 'redirects' | 'leakWatch'>,
): Promise<{ status: number; response?: string }> {
  const { id, url, tenant_id, event } = delivery;
  const now = clockOf({ tenant_id, event }, clocks).now();
  const content = bodyToSend(delivery, stored, formatTimestamp(now));
  const { body, signature } = await signContent(content, secret, now, headers);
  leakWatch?.observeDelivery(delivery, body);
  const { status, body: answer } = await sendRequest(
    {
      url,
      method: 'POST',
      headers: [['content-type', JSON_CONTENT_TYPE], [headers.requestId, id], ...signature],
      body: Buffer.from(body),
      redirect: 'manual',
    },
    {
      policy: redirects.networkOf(tenant_id),
      httpToLoopbackOnly: true,
      signal: withTimeout(signal, LIMITS.callback.timeoutMs),
      maxBodyBytes: MAX_RESPONSE_BYTES,
    },
  );
  if (!event || answer.length === 0) return { status };
  return { status, response: maskCardNumbers(Buffer.from(answer).toString()).slice(0, SHOWN_CHARACTERS) };
}

/** Returns the body to send, of version 2 with sorted keys, and the headers that sign it. */
async function signContent(
  content: string,
  secret: string,
  time: number,
  { signature, signatureVersion }: WebhookServices['headers'],
): Promise<{ body: string; signature: [name: string, value: string][] }> {
  if (!isSigningKey(secret))
    return { body: content, signature: [[signature, signBody(content, secret, time)]] };
  const { stringify } = await import('safe-stable-stringify');
  const body = stringify(JSON.parse(content)) ?? '';
  return {
    body,
    signature: [
      [signature, signSorted(body, secret)],
      [signatureVersion, '2'],
    ],
  };
}

/** Signs a callback: `t=<unix seconds>,v1=<hex HMAC-SHA-256 of "t.body">`. @param time milliseconds since 1970 */
export function signBody(body: string, secret: string, time: number): string {
  const seconds = Math.floor(time / 1000);
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${digest}`;
}

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
