import type { ApplicationType } from '../../../../src/contract/application-types.js';
import type { WorkingCredentials } from '../../../../src/contract/control/state-file.js';
import {
  type HeaderNames,
  headerNames,
  JSON_CONTENT_TYPE,
  MERGE_PATCH_CONTENT_TYPE,
} from '../../../../src/contract/headers.js';
import { buildPath, type Query } from '../../../../src/contract/operation-row.js';
import { type OperationId, type Operations, operationRow } from '../../../../src/contract/operations.js';
import { PERMISSIONS, type Permission } from '../../../../src/contract/permissions.js';
import type { OperationBody, OperationInput, Token } from '../../../../src/contract/schemas/index.js';
import { callControl } from './control-client.js';
import { formQuery, type HttpResponse, sendRequest } from './http.js';
import { RequestError } from './request-error.js';

type CallInput<Id extends OperationId> = (Operations[Id]['path'] extends `${string}{${string}`
  ? { path: OperationInput<Id>['path'] }
  : { path?: never }) &
  (Operations[Id] extends { body: string } ? { body: OperationInput<Id>['body'] } : { body?: never }) & {
    query?: OperationInput<Id>['query'];
  };

type CallArguments<Id extends OperationId> =
  Record<never, never> extends CallInput<Id> ? [input?: CallInput<Id>] : [input: CallInput<Id>];

/** A request that the user writes. */
interface CustomRequest {
  method: string;
  /** With the query. */
  path: string;
  as: ApplicationType;
  body?: string | undefined;
}

/** The trace IDs of requests that the page sends to show something, which the list of requests leaves out. */
const OWN_TRACE = 'workbench-';

/** Whether a request was sent by this page to show something. */
export const isOwnTrace = (traceId: string): boolean => traceId.startsWith(OWN_TRACE);

/** Calls the service as a client would, with the API keys of the seeded applications of a tenant. */
export class ServiceClient {
  readonly headers: HeaderNames;

  constructor(
    /** Those that work. */
    readonly keys: WorkingCredentials['keys'],
    headerPrefix: string,
  ) {
    this.headers = headerNames(headerPrefix);
  }

  /** Carries out an operation. @throws RequestError */
  async call<Id extends OperationId>(id: Id, ...[input]: CallArguments<Id>): Promise<OperationBody<Id>> {
    const { body } = await this.#send(id, input ?? {}, crypto.randomUUID());
    // The contract says what the service responds.
    return body as OperationBody<Id>;
  }

  /** Carries out an operation for its response alone: it is not listed among the requests. @throws RequestError */
  async read<Id extends OperationId>(id: Id, ...input: CallArguments<Id>): Promise<OperationBody<Id>> {
    return (await this.readAll(id, ...input)).body;
  }

  /** Does as `read`, and returns the headers of the response too. */
  async readAll<Id extends OperationId>(
    id: Id,
    ...[input]: CallArguments<Id>
  ): Promise<{ headers: Headers; body: OperationBody<Id> }> {
    const { headers, body } = await this.#send(id, input ?? {}, OWN_TRACE + crypto.randomUUID());
    return { headers, body: body as OperationBody<Id> };
  }

  /** Sends a request as it is, whatever its response. @throws RequestError when there is no response */
  send({ method, path, as, body }: CustomRequest): Promise<HttpResponse> {
    const type = method === 'PATCH' ? MERGE_PATCH_CONTENT_TYPE : JSON_CONTENT_TYPE;
    const headers = {
      [this.headers.apiKey]: this.keys[as] ?? '',
      [this.headers.traceId]: crypto.randomUUID(),
      ...(body !== undefined && { 'content-type': type }),
    };
    return sendRequest({ method, url: path, headers, body });
  }

  async #send(
    id: OperationId,
    input: { path?: Readonly<Record<string, string>>; query?: Query; body?: unknown },
    traceId: string,
  ): Promise<HttpResponse> {
    const row = operationRow(id);
    const type = row.body === 'merge-patch' ? MERGE_PATCH_CONTENT_TYPE : JSON_CONTENT_TYPE;
    const response = await sendRequest({
      method: row.method,
      url: buildPath(row.path, input.path) + formQuery(input.query),
      headers: {
        [this.headers.apiKey]: this.keys[applicationFor(row.permission)] ?? '',
        [this.headers.traceId]: traceId,
        ...(row.body && { 'content-type': type }),
      },
      body: row.body && JSON.stringify(input.body),
    });
    if (response.status >= 400) throw RequestError.of(response.status, response.body);
    return response;
  }
}

/** The type of the seeded application that holds a permission. */
function applicationFor(permission: Permission | null): ApplicationType {
  const types: readonly ApplicationType[] = permission === null ? [] : PERMISSIONS[permission].types;
  return types.includes('private') ? 'private' : 'management';
}

/** Loads a token with masked data. @throws RequestError 404 */
export async function loadToken(tenantId: string, id: string): Promise<Token> {
  const query = `id:${JSON.stringify(id)}`;
  const { data } = await callControl('tenants.tokens', { path: { id: tenantId }, query: { query } });
  if (data[0]) return data[0];
  throw new RequestError(404, 'There is no token with this ID in the tenant.');
}
