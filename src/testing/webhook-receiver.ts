import { constants, createHmac, timingSafeEqual, verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { startStub } from '../../emulator/doubles/stub.js';

/** A callback or webhook event that was received. */
export interface ReceivedWebhook {
  headers: IncomingHttpHeaders;
  /** As sent: what the signature covers. */
  text: string;
  body: unknown;
}

/** A server on this machine that receives callbacks and webhook events. */
export interface WebhookReceiver {
  /** The URL for `callback_url` or a webhook. */
  readonly url: string;
  readonly received: readonly ReceivedWebhook[];
  /** Responds to the next deliveries with these statuses in turn, and repeats the last one. Default: 204. */
  respondWith(...statuses: number[]): void;
  close(): Promise<void>;
}

/** Starts a receiver on a free port of the loopback address. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  let statuses = [204];
  const { url, close } = await startStub(async ({ headers, text, body }) => {
    received.push({ headers, text, body });
    const [status = 204, ...rest] = statuses;
    if (rest.length > 0) statuses = rest;
    return { status };
  });
  return {
    url: `${url}/`,
    received,
    respondWith(...next) {
      statuses = next;
    },
    close,
  };
}

/**
 * Whether a delivery was signed with a secret, the `webhook_secret` of its tenant, or by version 2 with the private half of a public
 * key, that of GET /webhooks/signing-key. Does not check the age of the signature, which a receiver compares with the clock of the
 * tenant.
 */
export function isSigned({ headers, text: content }: ReceivedWebhook, secret: string): boolean {
  const [name = ''] = Object.keys(headers).filter((header) => header.endsWith('-signature'));
  const signature = String(headers[name]);
  if (headers[`${name}-version`] === '2') return isSignedByKey(content, signature, secret);
  const [, time = '', digest = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
  const expected = createHmac('sha256', secret).update(`${time}.${content}`).digest();
  return digest !== '' && timingSafeEqual(Buffer.from(digest, 'hex'), expected);
}

function isSignedByKey(content: string, signature: string, pem: string): boolean {
  if (!pem.startsWith('-----BEGIN')) return false;
  const key = { key: pem, padding: constants.RSA_PKCS1_PSS_PADDING };
  return verify('sha256', Buffer.from(content), key, Buffer.from(signature, 'base64'));
}
