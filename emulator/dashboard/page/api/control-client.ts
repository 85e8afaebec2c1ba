import {
  CONTROL_PREFIX,
  type ControlId,
  controlEndpoint,
  TENANT_SCOPE,
} from '../../../../src/contract/control/endpoints.js';
import type { ControlBody, ControlInput } from '../../../../src/contract/control/schemas.js';
import { JSON_CONTENT_TYPE } from '../../../../src/contract/headers.js';
import { buildPath, type Query } from '../../../../src/contract/operation-row.js';
import { formQuery, sendRequest } from './http.js';
import { RequestError } from './request-error.js';
import { getControlToken } from './session.js';

/** The endpoints that respond with JSON. */
type JsonControlId = Exclude<ControlId, 'events' | 'dashboard'>;

type ControlArguments<Id extends JsonControlId> =
  Record<never, never> extends ControlInput<Id> ? [input?: ControlInput<Id>] : [input: ControlInput<Id>];

interface AnyInput {
  tenant?: string | undefined;
  path?: Readonly<Record<string, string>> | undefined;
  query?: Query | undefined;
  body?: unknown;
}

/** The control token is missing or not accepted. */
export class SignInError extends Error {
  override readonly name = 'SignInError';
}

export function controlHeaders(): Record<string, string> {
  return { authorization: `Bearer ${getControlToken()}` };
}

/** Calls a control endpoint. @throws {RequestError | SignInError} */
export async function callControl<Id extends JsonControlId>(
  id: Id,
  ...[input]: ControlArguments<Id>
): Promise<ControlBody<Id>> {
  // The contract says what the emulator responds.
  return (await send(id, input ?? {})) as ControlBody<Id>;
}

async function send(id: JsonControlId, { tenant, path, query, body }: AnyInput): Promise<unknown> {
  const row = controlEndpoint(id);
  const scope = tenant === undefined ? '' : buildPath(TENANT_SCOPE, { tenantId: tenant });
  const response = await sendRequest({
    method: row.method,
    url: CONTROL_PREFIX + scope + buildPath(row.path, path) + formQuery(query),
    headers: { ...controlHeaders(), ...(row.body && { 'content-type': JSON_CONTENT_TYPE }) },
    body: row.body && JSON.stringify(body),
  });
  if (response.status === 401) throw new SignInError('The control token is not accepted.');
  if (response.status >= 400) throw RequestError.of(response.status, response.body);
  return response.body;
}
