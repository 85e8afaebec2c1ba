import type { RateScope } from './limits.js';
import type { Permission } from './permissions.js';
import type { ProblemName } from './problems.js';

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** One operation of the service, as plain data. Its schemas stand in schemas/, so that reading the table costs no zod. */
export interface OperationRow {
  method: Method;
  /** Relative to the base URL, parameters in braces: `/tokens/{id}`. */
  path: string;
  /** What the key must hold; `null`: any valid key. */
  permission: Permission | null;
  summary: string;
  /** The statuses of success, the usual one first. */
  success: readonly number[];
  /** `specified` in service-api.md, `decided` where it is named there without a shape, `extension` otherwise. */
  source: 'specified' | 'decided' | 'extension';
  body?: 'json' | 'merge-patch';
  /** The path id must be a UUID; anything else does not exist. */
  uuid?: boolean;
  /** Query parameters of the shape `<name>.<key>=value`, gathered into one map per name. */
  queryMaps?: readonly string[];
  rateScope?: RateScope;
  /** The answer holds token data or an API key: an idempotency key keeps it in memory only. */
  holdsSecrets?: boolean;
  /** A reactor's code may answer with any status from 400 to 599, and with a body of its own. */
  codeErrors?: boolean;
  /** Problems beyond those every operation of its kind has. */
  problems?: readonly ProblemName[];
}

/** Checks a row's shape and keeps its literal types. */
export function defineOperation<const Row extends OperationRow>(row: Row): Row {
  return row;
}

/** The parameter names of a path: `/tokens/{id}` gives `id`. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never;

/** With this parameter the path would be that of another operation. */
export class PathParameterError extends TypeError {
  override readonly name = 'PathParameterError';
}

/**
 * The path with its parameters filled in, each percent-encoded.
 * @throws {PathParameterError} when a parameter is missing or empty, or of those that URL parsers resolve away.
 */
export function buildPath(path: string, parameters: Readonly<Record<string, string>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = parameters[name];
    if (!value) throw new PathParameterError(`The ${name} must not be empty.`);
    // Percent-encoding keeps no parser from it: `DELETE /tokens/%2E` is `DELETE /tokens/`.
    if (/^\.\.?$/.test(value))
      throw new PathParameterError(`The ${name} must not be ${JSON.stringify(value)}.`);
    return encodeURIComponent(value);
  });
}

/** The problems an operation can answer with, beside those of the rules that every request passes. */
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

/** Whether the operation heeds an idempotency key; GET and DELETE can be repeated without one. */
export function takesIdempotencyKey({ method }: Pick<OperationRow, 'method'>): boolean {
  return method !== 'GET' && method !== 'DELETE';
}
