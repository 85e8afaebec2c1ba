import type { ApplicationType } from '../../../../src/contract/application-types.js';
import { controlRequest } from '../../../../src/contract/control/endpoints.js';
import type {
  ControlArguments,
  ControlBody,
  JsonControlId,
} from '../../../../src/contract/control/schemas.js';
import type { WorkingCredentials } from '../../../../src/contract/control/state-file.js';
import { type HeaderNames, headerNames } from '../../../../src/contract/headers.js';
import { jsonOf } from '../../../../src/contract/json.js';
import { contentTypeOf, type RequestParts, requestOf } from '../../../../src/contract/operation-row.js';
import { type OperationId, operationRow } from '../../../../src/contract/operations.js';
import { typesFor } from '../../../../src/contract/permissions.js';
import type { Problem } from '../../../../src/contract/problems.js';
import type { OperationBody, OperationParts } from '../../../../src/contract/schemas/index.js';

/** The key of the control token in the storage of this tab. The token comes in the fragment, which browsers do not send. */
const TOKEN_KEY = 'tokenctl.control_token';

/** Dispatched to the window when the control token is not accepted. */
export const SIGNED_OUT = 'tokenctl-signed-out';

export const isSignedIn = (): boolean => sessionStorage.getItem(TOKEN_KEY) !== null;

export const signIn = (token: string): void => sessionStorage.setItem(TOKEN_KEY, token.trim());

export function signOut(): void {
  sessionStorage.removeItem(TOKEN_KEY);
  window.dispatchEvent(new Event(SIGNED_OUT));
}

export const controlHeaders = (): Record<string, string> => ({
  authorization: `Bearer ${sessionStorage.getItem(TOKEN_KEY) ?? ''}`,
});

/** Moves the token out of the address, so that it is in no history and no copied link. @returns whether there was one */
export function takeTokenFromAddress(): boolean {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (!token) return false;
  signIn(token);
  history.replaceState(null, '', location.pathname);
  return true;
}

export interface HttpResponse {
  status: number;
  headers: Headers;
  /** Parsed JSON, or the text when it is not JSON; undefined without a body. */
  body: unknown;
  durationMs: number;
}

export class RequestError extends Error {
  override readonly name = 'RequestError';

  /** @param status 0 when there was no response */
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Says why a request failed: the fields that are not valid and what is accepted, or the detail of the problem. */
export function reasonOf(status: number, body: unknown): string {
  const { detail, title, errors = {} } = (body ?? {}) as Partial<Problem>;
  const fields = Object.entries(errors).map(([field, messages]) => `${field} ${messages.join(', ')}`);
  return fields.join('; ') || (detail ?? title ?? `Status ${status}`);
}

interface SentRequest {
  method: string;
  /** With the query. */
  path: string;
  headers?: Record<string, string>;
  body?: string | undefined;
}

/** Sends a request. @throws RequestError with status 0 when there is no response */
async function send({ method, path, headers = {}, body }: SentRequest): Promise<HttpResponse> {
  const startedAt = performance.now();
  try {
    const response = await fetch(path, { method, headers, ...(body !== undefined && { body }) });
    const text = await response.text();
    const json = jsonOf(text);
    return {
      status: response.status,
      headers: response.headers,
      body: json === undefined ? text || undefined : json,
      durationMs: performance.now() - startedAt,
    };
  } catch {
    throw new RequestError(0, 'The emulator does not respond.');
  }
}

function assertSuccess({ status, body }: HttpResponse): void {
  if (status >= 400) throw new RequestError(status, reasonOf(status, body));
}

/** Calls a control endpoint. @throws RequestError */
export async function callControl<Id extends JsonControlId>(
  id: Id,
  ...[input]: ControlArguments<Id>
): Promise<ControlBody<Id>> {
  const request = controlRequest(id, input);
  const response = await send({ ...request, headers: { ...controlHeaders(), ...request.headers } });
  if (response.status === 401) signOut();
  assertSuccess(response);
  // The contract says what the emulator responds.
  return response.body as ControlBody<Id>;
}

/** Replaces the refusal of what is not kept any more, or was deleted, by a value. */
export const orIfGone = <Value, Other>(call: Promise<Value>, other: Other): Promise<Value | Other> =>
  call.catch((error) => {
    if (error instanceof RequestError && error.status === 404) return other;
    throw error;
  });

/** The input of a call as arguments: optional when the operation has neither path parameters nor a body. */
type CallArguments<Id extends OperationId> =
  Record<never, never> extends OperationParts<Id>
    ? [input?: OperationParts<Id>]
    : [input: OperationParts<Id>];

/** Calls the service as a client would, with the API keys of the seeded applications of a tenant. */
export class ServiceClient {
  readonly headers: HeaderNames;

  constructor(
    readonly keys: WorkingCredentials['keys'],
    headerPrefix: string,
  ) {
    this.headers = headerNames(headerPrefix);
  }

  /** Carries out an operation. @throws RequestError */
  async call<Id extends OperationId>(id: Id, ...[input]: CallArguments<Id>): Promise<OperationBody<Id>> {
    return this.#call(id, input ?? {});
  }

  /** Carries out an operation for its response alone: no list of requests has it. @throws RequestError */
  async read<Id extends OperationId>(id: Id, ...[input]: CallArguments<Id>): Promise<OperationBody<Id>> {
    return this.#call(id, input ?? {}, { [this.headers.background]: 'true' });
  }

  /** Sends a request that a user wrote, whatever its response. @param path with the query @throws RequestError */
  send(method: string, path: string, as: ApplicationType, body?: string): Promise<HttpResponse> {
    const headers = body === undefined ? {} : { 'content-type': contentTypeFor(method) };
    return this.#send({ method, path, headers, body }, as);
  }

  async #call<Id extends OperationId>(id: Id, input: RequestParts, headers = {}) {
    const row = operationRow(id);
    // The type of the seeded application that holds the permission.
    const as =
      row.permission !== null && typesFor(row.permission).includes('private') ? 'private' : 'management';
    const request = requestOf(row, input);
    const response = await this.#send({ ...request, headers: { ...request.headers, ...headers } }, as);
    assertSuccess(response);
    // The contract says what the service responds.
    return response.body as OperationBody<Id>;
  }

  #send(request: SentRequest, as: ApplicationType): Promise<HttpResponse> {
    return send({ ...request, headers: { [this.headers.apiKey]: this.keys[as] ?? '', ...request.headers } });
  }
}

export const contentTypeFor = (method: string): string =>
  contentTypeOf({ body: method === 'PATCH' ? 'merge-patch' : 'json' });
