import type { ApplicationType } from './application-types.js';
import { type HeaderNames, JSON_CONTENT_TYPE, MERGE_PATCH_CONTENT_TYPE } from './headers.js';
import type { RateScope } from './limits.js';
import type { KeyNeed, Permission } from './permissions.js';
import type { ProblemName } from './problems.js';

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** One operation of the service, as plain data. Its schemas are in schemas/, so that the table needs no zod. */
export interface OperationRow {
  method: Method;
  /** Relative to the base URL, parameters in braces: `/tokens/{id}`. */
  path: string;
  /** The permission that the key needs, or the type of its application; `null`: any valid key. */
  permission: KeyNeed;
  /** Another permission that is enough. */
  orPermission?: Permission;
  /** With `--lenient`, applications of this type need none. */
  lenientType?: ApplicationType;
  summary: string;
  /** The statuses of success, the most common one first. */
  success: readonly number[];
  /** What the body of a success is, for clients that do not load its schema; an object by default. */
  returns?: 'object' | 'page' | 'page-by-cursor' | 'list' | 'any' | 'file';
  /** `specified` in service-api.md, `decided` when it is named there without a shape, `extension` otherwise. */
  source: 'specified' | 'decided' | 'extension';
  /** `any-json`: JSON by any type, since clients of the family call it a patch. `multipart`: a form with a file. */
  body?: 'json' | 'any-json' | 'merge-patch' | 'multipart';
  optionalBody?: boolean;
  /** The id in the path must be a UUID; any other is 404. */
  uuid: boolean;
  /** Query parameters of the form `<name>.<key>=value` or `<name>[<key>]=value`, collected into one map per name. */
  queryMaps?: readonly string[];
  rateScope?: RateScope;
  /** Headers of its own that a success may have, and what they say. */
  responseHeaders?: Partial<Record<keyof HeaderNames, string>>;
  /** The response contains token data or an API key, so that idempotency stores it in memory only. */
  holdsSecrets?: boolean;
  /** The code of a reactor may respond with any status from 400 to 599 and with a body of its own. */
  codeErrors?: boolean;
  /** Problems in addition to those that every operation of its kind has. */
  problems?: readonly ProblemName[];
}

type Route = 'method' | 'path' | 'permission';
type Defaults = 'success' | 'source' | 'uuid';
type Details = Omit<OperationRow, Route | Defaults> & Partial<Pick<OperationRow, Defaults>>;

/** Defines an operation, by default an extension. Keeps the literal types of its row. Only ids of tokens are no UUIDs. */
export const defineOperation = <
  const M extends Method,
  const Path extends string,
  const Needed extends KeyNeed,
  const More extends Details,
>(
  method: M,
  path: Path,
  permission: Needed,
  more: More,
) => ({
  ...{ method, path, permission, success: [method === 'DELETE' ? 204 : 200] as readonly number[] },
  uuid: path.includes('{id}') && !path.startsWith('/tokens/'),
  ...{ source: 'extension' as OperationRow['source'], ...more },
});

export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never;

/** A path parameter is missing, cannot be encoded, or would turn the path into that of another operation. */
export class PathParameterError extends TypeError {
  override readonly name = 'PathParameterError';
}

/** Fills in parameters, percent-encoded. @throws {PathParameterError} one is missing, empty, `.`, `..` or no Unicode */
export const buildPath = (path: string, parameters: Readonly<Record<string, string>> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = parameters[name];
    if (!value) throw new PathParameterError(`The ${name} must not be empty.`);
    // URL parsers resolve it even if it is encoded: `DELETE /tokens/%2E` is `DELETE /tokens/`.
    if (/^\.\.?$/.test(value))
      throw new PathParameterError(`The ${name} must not be ${JSON.stringify(value)}.`);
    try {
      return encodeURIComponent(value);
    } catch (cause) {
      const message = `The ${name} must be valid Unicode; it contains half of a surrogate pair.`;
      throw new PathParameterError(message, { cause });
    }
  });

type QueryValue = string | number | readonly string[] | Readonly<Record<string, string>> | undefined;

/** Query parameters: an array repeats its name, a map becomes `name.key=value`. */
export type Query = Readonly<Record<string, QueryValue>>;

/** Returns `?id=a&id=b&metadata.k=v`, or an empty string. */
export function buildQuery(query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (typeof value !== 'object') parameters.append(name, String(value));
    else if (Array.isArray(value)) for (const item of value) parameters.append(name, item);
    else for (const [key, item] of Object.entries(value)) parameters.append(`${name}.${key}`, item);
  }
  return parameters.size > 0 ? `?${parameters}` : '';
}

export const contentTypeOf = ({ body }: Pick<OperationRow, 'body'>): string => {
  if (body === 'multipart') return 'multipart/form-data';
  return body === 'merge-patch' ? MERGE_PATCH_CONTENT_TYPE : JSON_CONTENT_TYPE;
};

/** What a request carries, without the types that depend on its operation. */
export interface RequestParts {
  path?: Readonly<Record<string, string>> | undefined;
  query?: Query | undefined;
  body?: unknown;
}

/** Builds the request of a row, without base URL and key. @throws {PathParameterError} see `buildPath`. */
export function requestOf(row: Pick<OperationRow, 'method' | 'path' | 'body'>, input: RequestParts) {
  return {
    method: row.method,
    path: buildPath(row.path, input.path) + buildQuery(input.query),
    ...(row.body && {
      headers: { 'content-type': contentTypeOf(row) },
      body: JSON.stringify(input.body),
    }),
  };
}

export function problemsOf(row: OperationRow): ProblemName[] {
  const names: ProblemName[] = [
    'validation',
    'unauthenticated',
    'forbidden',
    'rateLimited',
    'internal',
    'unavailable',
  ];
  if (row.path.includes('{')) names.push('notFound');
  if (row.body) names.push('bodyTooLarge', 'unsupportedMediaType');
  if (row.method !== 'GET') names.push('storageFull');
  if (takesIdempotencyKey(row)) names.push('requestInFlight');
  return [...names, ...(row.problems ?? [])];
}

/** Whether the operation accepts an idempotency key. GET and DELETE are idempotent without one. */
export function takesIdempotencyKey({ method }: Pick<OperationRow, 'method'>): boolean {
  return method !== 'GET' && method !== 'DELETE';
}
