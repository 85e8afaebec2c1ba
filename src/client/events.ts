import * as http from 'node:http';
import { headerNames } from '../contract/headers.js';
import { type ControlAddress, controlHeaders } from './control.js';
import { ConnectionError } from './errors.js';
import { readResponse } from './http-transport.js';
import { toServiceError } from './response.js';

/** The comment that stands between the recent events and those that come. */
const LIVE = ': live';

/**
 * The server-sent events of an emulator, each parsed: the recent ones, and with `follow` those that come, until the
 * signal ends it or the emulator stops.
 * @throws {ServiceError | ConnectionError}
 */
export async function* readEvents(
  address: ControlAddress,
  { recent, follow }: { recent: number; follow: boolean },
  signal: AbortSignal,
): AsyncGenerator<Record<string, unknown>, void, void> {
  const url = new URL(`${address.base_url}/_emulator/events?recent=${recent}`);
  const unreachable = (error: NodeJS.ErrnoException) =>
    signal.aborted ? signal.reason : new ConnectionError(address.base_url, error.code ?? 'unknown', error);
  const message = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http
      .get(url, { headers: controlHeaders(address), signal }, resolve)
      .on('error', (error) => reject(unreachable(error)));
  });
  if (message.statusCode !== 200) {
    const { traceId } = headerNames(address.header_prefix);
    const response = await readResponse(message).catch((error) => Promise.reject(unreachable(error)));
    throw toServiceError(response, traceId, Date.now());
  }
  message.setEncoding('utf8');
  let rest = '';
  try {
    for await (const chunk of message) {
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        if (block === LIVE && !follow) return;
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data !== undefined) yield JSON.parse(data);
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
  } finally {
    message.destroy();
  }
  // Whoever follows reads until the emulator goes; of the recent events the rest is missing.
  if (!follow) throw new ConnectionError(address.base_url, 'ECONNRESET', undefined);
}
