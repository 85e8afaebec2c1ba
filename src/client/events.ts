import * as http from 'node:http';
import { CONTROL_PREFIX, controlEndpoints, TENANT_SCOPE } from '../contract/control/endpoints.js';
import type { EmulatorEvent } from '../contract/control/events.js';
import { eventDataOf, LIVE_COMMENT } from '../contract/control/vocabulary.js';
import { headerNames } from '../contract/headers.js';
import { isObject, jsonOf } from '../contract/json.js';
import { buildPath } from '../contract/operation-row.js';
import { type ControlAddress, controlHeaders } from './control.js';
import { ConnectionError, ProtocolError } from './errors.js';
import { readResponse, trustOnly } from './http-transport.js';
import { toServiceError } from './response.js';

/** Opens the event stream. @throws {ServiceError | ConnectionError} or the reason of the signal */
async function openStream(
  address: ControlAddress,
  { recent, tenant }: { recent: number; tenant?: string | undefined },
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  const scope = tenant === undefined ? '' : buildPath(TENANT_SCOPE, { tenantId: tenant });
  const path = `${CONTROL_PREFIX}${scope}${controlEndpoints.events.path}?recent=${recent}`;
  const toError = (error: NodeJS.ErrnoException) =>
    signal.aborted || error instanceof ProtocolError
      ? (signal.reason ?? error)
      : new ConnectionError(address.base_url, error.code ?? 'unknown', error);
  const { get } = address.base_url.startsWith('https:') ? await import('node:https') : http;
  const options = { headers: controlHeaders(address), signal, ...trustOnly(address) };
  const message = await new Promise<http.IncomingMessage>((resolve, reject) => {
    get(new URL(address.base_url + path), options, resolve).on('error', (error) => reject(toError(error)));
  });
  if (message.statusCode === 200) return message.setEncoding('utf8');
  const response = await readResponse(message, address.base_url).catch((error) =>
    Promise.reject(toError(error)),
  );
  throw toServiceError(response, headerNames(address.header_prefix).traceId, Date.now());
}

/** Many times the longest event: something else may listen at the address of an emulator. */
const MAX_EVENT_CHARACTERS = 1_048_576;

/** @throws {ProtocolError} */
function parseEvent(data: string, url: string): EmulatorEvent {
  const event = jsonOf(data);
  if (isObject(event) && typeof event.kind === 'string' && typeof event.time === 'string')
    return event as unknown as EmulatorEvent;
  throw new ProtocolError(`${url} sent an event that is not JSON, or has no kind or time.`);
}

/**
 * Reads the server-sent events of an emulator.
 * @param options.recent number of recent events to start with, at most 1,000.
 * @param options.tenant only events of this tenant.
 * @param options.follow continues with each event as it happens, until the signal is aborted or the emulator stops.
 * @throws {ServiceError | ConnectionError | ProtocolError} or the reason of the signal
 */
export async function* readEvents(
  address: ControlAddress,
  { recent, follow, tenant }: { recent: number; follow: boolean; tenant?: string | undefined },
  signal: AbortSignal,
): AsyncGenerator<EmulatorEvent, void, void> {
  const message = await openStream(address, { recent, tenant }, signal);
  let rest = '';
  try {
    for await (const chunk of message) {
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        if (block === LIVE_COMMENT && !follow) return;
        const data = eventDataOf(block);
        if (data !== undefined) yield parseEvent(data, address.base_url);
      }
      if (rest.length > MAX_EVENT_CHARACTERS)
        throw new ProtocolError(
          `${address.base_url} sent an event of more than ${MAX_EVENT_CHARACTERS} characters.`,
        );
    }
  } catch (error) {
    signal.throwIfAborted();
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
  } finally {
    message.destroy();
  }
  // The stream of an emulator that stops ends; without `follow` that means that recent events are missing.
  if (!follow) throw new ConnectionError(address.base_url, 'ECONNRESET', undefined);
}
