import { headerNames } from '../contract/headers.js';
import type { Method } from '../contract/operation.js';
import { ConnectionError } from './errors.js';
import { createHttpTransport } from './http-transport.js';
import { parseResponse, toServiceError } from './response.js';

/** The control endpoints of an emulator: `/_emulator/…`, behind the token of its state file. */
export interface Control {
  /** @throws {ServiceError | ConnectionError} */
  call(method: Method, path: string, body?: unknown): Promise<unknown>;
  close(): Promise<void>;
}

export interface ControlAddress {
  base_url: string;
  control_token: string;
  header_prefix?: string | undefined;
}

/** What every request to the control endpoints carries. */
export function controlHeaders({ control_token }: ControlAddress): Record<string, string> {
  return { authorization: `Bearer ${control_token}` };
}

export async function createControl(address: ControlAddress, signal: AbortSignal): Promise<Control> {
  const transport = await createHttpTransport(address.base_url);
  const { traceId } = headerNames(address.header_prefix);

  async function call(method: Method, path: string, body?: unknown): Promise<unknown> {
    const response = await transport
      .send({
        method,
        path: `/_emulator${path}`,
        headers: {
          ...controlHeaders(address),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal,
      })
      .catch((error: NodeJS.ErrnoException) => {
        signal.throwIfAborted();
        throw new ConnectionError(transport.url, error.code ?? 'unknown', error);
      });
    if (response.status >= 400) throw toServiceError(response, traceId, Date.now());
    return parseResponse(response, transport.url).body;
  }

  return { call, close: () => transport.close() };
}
