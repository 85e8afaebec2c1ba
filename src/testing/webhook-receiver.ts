import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A callback or webhook event that was received. */
export interface ReceivedWebhook {
  headers: IncomingHttpHeaders;
  /** As sent: what the signature covers. */
  text: string;
  /** The parsed body. */
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
  const server = createServer(async (request, response) => {
    const content = await text(request);
    received.push({ headers: request.headers, text: content, body: parse(content) });
    const [status = 204, ...rest] = statuses;
    if (rest.length > 0) statuses = rest;
    response.writeHead(status).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    respondWith(...next) {
      statuses = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

/**
 * Whether a delivery was signed with a secret, the `webhook_secret` of its tenant. Does not check the age of the signature, which a
 * receiver compares with the clock of the tenant.
 */
export function isSigned({ headers, text: content }: ReceivedWebhook, secret: string): boolean {
  const [name = ''] = Object.keys(headers).filter((header) => header.endsWith('-signature'));
  const [, time = '', digest = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers[name])) ?? [];
  const expected = createHmac('sha256', secret).update(`${time}.${content}`).digest();
  return digest !== '' && timingSafeEqual(Buffer.from(digest, 'hex'), expected);
}
