import type { IncomingMessage } from 'node:http';
import { controlRequest } from '../contract/control/endpoints.js';
import type { EmulatorEvent } from '../contract/control/events.js';
import type { ControlArguments, ControlBody, JsonControlId } from '../contract/control/schemas.js';
import type { Credentials } from '../contract/control/state-file.js';
import { eventDataOf, LIVE_COMMENT } from '../contract/control/vocabulary.js';
import { headerNames } from '../contract/headers.js';
import { isObject, jsonOf } from '../contract/json.js';
import { ConnectionError, ProtocolError } from './errors.js';
import { createHttpTransport, readResponse } from './http-transport.js';
import { parseResponse, toServiceError } from './response.js';

/** The address and the control token of an emulator, as its state file has them. */
export interface ControlAddress {
  base_url: string;
  control_token: string;
  header_prefix?: string | undefined;
  certificate?: string | undefined;
}

/** A client of the control endpoints of an emulator: `/_emulator/…`. It does not retry. */
export interface ControlClient {
  /** Calls an endpoint and returns the body of the response. @throws {ServiceError | ConnectionError | ProtocolError} */
  call<Id extends JsonControlId>(id: Id, ...input: ControlArguments<Id>): Promise<ControlBody<Id>>;
  close(): Promise<void>;
}

export const controlHeaders = ({ control_token }: ControlAddress): Record<string, string> => ({
  authorization: `Bearer ${control_token}`,
});

/** Where a command finds a tenant of an emulator, and its keys. */
export interface TenantTarget extends Omit<Credentials, 'keys'> {
  /** Those that work. */
  keys: { [Type in keyof Credentials['keys']]?: string | undefined };
  baseUrl: string;
  headerPrefix?: string | undefined;
}

/** Returns an environment in which a tenant is the target of commands, without variables that would select another. */
export const targetEnvironment = (
  { TOKENCTL_API_KEY: _key, TOKENCTL_PROFILE: _profile, ...env }: NodeJS.ProcessEnv,
  { baseUrl, keys, tenant_id, webhook_secret, headerPrefix }: TenantTarget,
): NodeJS.ProcessEnv => ({
  ...env,
  TOKENCTL_BASE_URL: baseUrl,
  TOKENCTL_MANAGEMENT_KEY: keys.management,
  TOKENCTL_PRIVATE_KEY: keys.private,
  TOKENCTL_PUBLIC_KEY: keys.public,
  TOKENCTL_TENANT_ID: tenant_id,
  TOKENCTL_WEBHOOK_SECRET: webhook_secret,
  ...(headerPrefix !== undefined && { TOKENCTL_HEADER_PREFIX: headerPrefix }),
});

/** Creates a client of the control endpoints. @param signal aborts the requests in flight and every later one. */
export async function createControlClient(
  address: ControlAddress,
  signal: AbortSignal,
): Promise<ControlClient> {
  const transport = await createHttpTransport(address.base_url, address);
  const { traceId } = headerNames(address.header_prefix);

  async function send(...[id, input]: Parameters<typeof controlRequest>): Promise<unknown> {
    const request = controlRequest(id, input);
    const headers = { ...controlHeaders(address), ...request.headers };
    const sent = transport.send({ ...request, headers, signal });
    const response = await sent.catch((error: NodeJS.ErrnoException) => {
      signal.throwIfAborted();
      if (error instanceof ProtocolError) throw error;
      throw new ConnectionError(transport.url, error.code ?? 'unknown', error);
    });
    if (response.status >= 400) throw toServiceError(response, traceId, Date.now());
    return parseResponse(response, transport.url).body;
  }

  return {
    // The contract says what the emulator responds.
    call: async <Id extends JsonControlId>(id: Id, ...[input]: ControlArguments<Id>) =>
      (await send(id, input)) as ControlBody<Id>,
    close: () => transport.close(),
  };
}

interface EventSelection {
  /** Number of recent events to start with, at most 1,000. */
  recent: number;
  tenant?: string | undefined;
  /** Also requests that the CLI sent for its own sake. */
  background?: boolean | undefined;
}

async function openStream(
  address: ControlAddress,
  { recent, tenant, background }: EventSelection,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const query = { recent, ...(background && { background: 'true' }) };
  const { path } = controlRequest('events', { tenant, query });
  const { open } = await createHttpTransport(address.base_url, address);
  try {
    const message = await open({ method: 'GET', path, headers: controlHeaders(address), signal });
    if (message.statusCode === 200) return message.setEncoding('utf8');
    const response = await readResponse(message, address.base_url);
    throw toServiceError(response, headerNames(address.header_prefix).traceId, Date.now());
  } catch (error) {
    signal.throwIfAborted();
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new ConnectionError(address.base_url, code, error);
  }
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

/** Reads server-sent events. @throws {ServiceError | ConnectionError | ProtocolError} or the reason of the signal */
export async function* readEvents(
  address: ControlAddress,
  { follow, ...selection }: EventSelection & { follow: boolean },
  signal: AbortSignal,
): AsyncGenerator<EmulatorEvent, void, void> {
  const message = await openStream(address, selection, signal);
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
