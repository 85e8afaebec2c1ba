import { JSON_CONTENT_TYPE } from '../../../src/contract/headers.js';
import { LIMITS } from '../../../src/contract/limits.js';
import type { Context } from '../../operations/context.js';
import { exchange } from '../../sandbox/network/http-client.js';
import type { DeliveryRecord } from '../../store/records.js';
import { signBody } from './signature.js';

/** A receiver's answer is of no interest beyond its status. */
const MAX_ANSWER_BYTES = 65_536;

/** Posts a callback once, without following redirects: they could lead where the URL itself may not. */
export async function sendWebhook(
  delivery: DeliveryRecord,
  secret: string,
  signal: AbortSignal,
  { headers, clock, options }: Pick<Context, 'headers' | 'clock' | 'options'>,
): Promise<number> {
  const { status } = await exchange(
    {
      url: delivery.url,
      method: 'POST',
      headers: [
        ['content-type', JSON_CONTENT_TYPE],
        [headers.requestId, delivery.id],
        [headers.signature, signBody(delivery.body, secret, clock.now())],
      ],
      body: Buffer.from(delivery.body),
      redirect: 'manual',
    },
    {
      policy: options.network,
      signal: AbortSignal.any([signal, AbortSignal.timeout(LIMITS.callback.timeoutMs)]),
      maxBodyBytes: MAX_ANSWER_BYTES,
    },
  );
  return status;
}
