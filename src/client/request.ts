import { JSON_CONTENT_TYPE, MERGE_PATCH_CONTENT_TYPE } from '../contract/headers.js';
import { buildPath, type Method, type OperationRow } from '../contract/operation.js';
import type { OperationId, Operations } from '../contract/operations.js';
import type { Permission } from '../contract/permissions.js';
import type { OperationInput } from '../contract/schemas/index.js';

/** Query parameters: repeated when an array, `name.key=value` when a map. */
export type Query = Readonly<
  Record<string, string | number | readonly string[] | Readonly<Record<string, string>> | undefined>
>;

/** A request before it has a base URL and a key. */
export interface RawRequest {
  method: Method;
  /** With the query. */
  path: string;
  /** Which permission's key to use; null: any key will do. */
  permission: Permission | null;
  /** Already JSON. */
  body?: string | undefined;
  headers?: Readonly<Record<string, string>>;
  /** Names the request for the service; made up for POST, PUT and PATCH when left out. */
  idempotencyKey?: string | undefined;
  /** Milliseconds for one attempt, instead of the client's. */
  timeoutMs?: number | undefined;
}

type PathInput<Id extends OperationId> = Operations[Id]['path'] extends `${string}{${string}`
  ? { path: OperationInput<Id>['path'] }
  : { path?: never };

type BodyInput<Id extends OperationId> = Operations[Id] extends { body: string }
  ? { body: OperationInput<Id>['body'] }
  : { body?: never };

/** What one call takes: its path parameters and body where the operation has them. */
export type CallInput<Id extends OperationId> = PathInput<Id> &
  BodyInput<Id> & { query?: Query } & Pick<RawRequest, 'idempotencyKey' | 'timeoutMs' | 'headers'>;

/** `?id=a&id=b&metadata.k=v`, or nothing. */
function buildQuery(query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (typeof value !== 'object') parameters.append(name, String(value));
    else if (Array.isArray(value)) for (const item of value) parameters.append(name, item);
    else for (const [key, item] of Object.entries(value)) parameters.append(`${name}.${key}`, item);
  }
  return parameters.size > 0 ? `?${parameters}` : '';
}

/** The request of an operation. */
export function buildRequest(
  row: OperationRow,
  input: {
    path?: Readonly<Record<string, string>>;
    query?: Query;
    body?: unknown;
    idempotencyKey?: string | undefined;
    timeoutMs?: number | undefined;
    headers?: Readonly<Record<string, string>>;
  },
): RawRequest {
  const request: RawRequest = {
    method: row.method,
    path: buildPath(row.path, input.path) + buildQuery(input.query),
    permission: row.permission,
    idempotencyKey: input.idempotencyKey,
    timeoutMs: input.timeoutMs,
    ...(input.headers && { headers: input.headers }),
  };
  if (!row.body) return request;
  const contentType = row.body === 'merge-patch' ? MERGE_PATCH_CONTENT_TYPE : JSON_CONTENT_TYPE;
  return {
    ...request,
    body: JSON.stringify(input.body),
    headers: { 'content-type': contentType, ...input.headers },
  };
}
