import { CONTROL_PREFIX, controlEndpoint, TENANT_SCOPE } from '../contract/control/endpoints.js';
import type { ControlArguments, ControlBody, JsonControlId } from '../contract/control/schemas.js';
import type { Credentials } from '../contract/control/state-file.js';
import { headerNames, JSON_CONTENT_TYPE } from '../contract/headers.js';
import { buildPath, buildQuery, type Query } from '../contract/operation-row.js';
import { ConnectionError, ProtocolError } from './errors.js';
import { createHttpTransport } from './http-transport.js';
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

export function controlHeaders({ control_token }: ControlAddress): Record<string, string> {
  return { authorization: `Bearer ${control_token}` };
}

/** Where a command finds a tenant of an emulator, and its keys. */
export interface TenantTarget extends Credentials {
  baseUrl: string;
  headerPrefix?: string | undefined;
}

/** Returns an environment in which a tenant is the target of commands, without variables that would select another. */
export function targetEnvironment(
  { TOKENCTL_API_KEY: _key, TOKENCTL_PROFILE: _profile, ...env }: NodeJS.ProcessEnv,
  { baseUrl, keys, tenant_id, webhook_secret, headerPrefix }: TenantTarget,
): NodeJS.ProcessEnv {
  return {
    ...env,
    TOKENCTL_BASE_URL: baseUrl,
    TOKENCTL_MANAGEMENT_KEY: keys.management,
    TOKENCTL_PRIVATE_KEY: keys.private,
    TOKENCTL_PUBLIC_KEY: keys.public,
    TOKENCTL_TENANT_ID: tenant_id,
    TOKENCTL_WEBHOOK_SECRET: webhook_secret,
    ...(headerPrefix !== undefined && { TOKENCTL_HEADER_PREFIX: headerPrefix }),
  };
}

interface AnyInput {
  tenant?: string | undefined;
  path?: Readonly<Record<string, string>> | undefined;
  query?: Query | undefined;
  body?: unknown;
}

/** Creates a client of the control endpoints. @param signal aborts the requests in flight and every later one. */
export async function createControlClient(
  address: ControlAddress,
  signal: AbortSignal,
): Promise<ControlClient> {
  const transport = await createHttpTransport(address.base_url, address);
  const { traceId } = headerNames(address.header_prefix);

  async function send(id: JsonControlId, { tenant, path, query, body }: AnyInput): Promise<unknown> {
    const row = controlEndpoint(id);
    const scope = tenant === undefined ? '' : buildPath(TENANT_SCOPE, { tenantId: tenant });
    const request = {
      method: row.method,
      path: CONTROL_PREFIX + scope + buildPath(row.path, path) + buildQuery(query),
      headers: { ...controlHeaders(address), ...(row.body && { 'content-type': JSON_CONTENT_TYPE }) },
      body: row.body && JSON.stringify(body),
      signal,
    };
    const response = await transport.send(request).catch((error: NodeJS.ErrnoException) => {
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
      (await send(id, input ?? {})) as ControlBody<Id>,
    close: () => transport.close(),
  };
}
