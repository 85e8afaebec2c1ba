import { isObject, type Json } from '../../../src/contract/json.js';
import type { OperationId } from '../../../src/contract/operations.js';
import type { Logger } from '../../lib/logger.js';
import { type ProblemError, validationProblem } from '../../problems/problem.js';
import { toProblem } from '../../problems/to-problem.js';
import type { SvcCall } from '../../sandbox/invocation.js';
import { checkPermission } from '../authorize.js';
import type { Call, Execute, OperationInput, OperationResult } from '../call.js';
import { checkBody } from '../check-body.js';

interface Method {
  operation: OperationId;
  /** Takes the parts of a request from the arguments. */
  input(params: Json[]): OperationInput;
}

const withBody = (operation: OperationId): Method => ({
  operation,
  input: ([body]) => ({ body: snakeCaseKeys(body) }),
});
const withId = (operation: OperationId): Method => ({
  operation,
  input: ([id]) => ({ path: { id: toId(id) } }),
});
const withIdAndBody = (operation: OperationId): Method => ({
  operation,
  input: ([id, body]) => ({ path: { id: toId(id) }, body: snakeCaseKeys(body ?? {}) }),
});
/** Any JSON, unchanged; its property names belong to the reactor. */
const withJson = (operation: OperationId): Method => ({ operation, input: ([body]) => ({ body }) });

/** The methods of `svc` (decisions.md, "Reactors"), each an operation of the service. */
const METHODS: Record<string, Method> = {
  'tokens.create': withBody('tokens.create'),
  'tokens.get': withId('tokens.get'),
  'tokens.list': { operation: 'tokens.list', input: ([filter]) => ({ query: toQuery(filter) }) },
  'tokens.update': withIdAndBody('tokens.update'),
  'tokens.delete': withId('tokens.delete'),
  'tokens.search': withBody('tokens.search'),
  'reactors.react': withIdAndBody('reactors.react'),
  tokenize: withJson('tokenize'),
  detokenize: withJson('detokenize'),
};

/** The services that calls of `svc` need. */
export interface SvcServices {
  execute: Execute;
  logger: Logger;
}

/** Receives each call of `svc` when it is complete. `status` is that of the same request over HTTP. */
type SvcListener = (done: { call: Call; operation: OperationId; status: number; durationMs: number }) => void;

/**
 * Creates the `svc` of a reactor: operations of the service, in-process, with the permissions of the reactor's
 * application. A call rejects with `status` and `errors` where the API responds with a problem.
 */
export function createSvc(
  traceId: string,
  caller: () => Call,
  { execute, logger }: SvcServices,
  onCall: SvcListener,
): SvcCall {
  return async (name, params) => {
    const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
    if (!method) throw new Error(`svc has no method ${name}.`);
    const { operation, input } = method;
    const startedAt = performance.now();
    let call: Call | undefined;
    let status = 500;
    try {
      call = caller();
      checkPermission(operation, call);
      for (const param of params) checkBody(param);
      const result: OperationResult = await execute(operation, input(params), call);
      status = result.status;
      return result.body;
    } catch (error) {
      const thrown = toProblem(error, traceId, logger);
      status = thrown.status;
      throw toSvcError(thrown);
    } finally {
      if (call) onCall({ call, operation, status, durationMs: performance.now() - startedAt });
    }
  };
}

/** Converts a problem for the reactor. */
function toSvcError({ message, status, errors }: ProblemError): Error {
  return Object.assign(new Error(message), { status, ...(errors && { errors }) });
}

function toId(id: Json | undefined): string {
  if (typeof id === 'string' && id !== '') return id;
  throw validationProblem({ id: ['must be a non-empty string'] });
}

/** Converts a filter to query parameters, which are strings as over HTTP. */
function toQuery(filter: Json | undefined): Record<string, unknown> {
  const fields = snakeCaseKeys(filter ?? {});
  if (!isObject(fields)) {
    throw validationProblem({ query: ['must be an object'] });
  }
  const { metadata, ...rest } = fields;
  // Without a prototype, because filters may have any name.
  const query: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(rest)) {
    if (value !== null) query[name] = Array.isArray(value) ? value.map(String) : String(value);
  }
  for (const [key, value] of Object.entries(Object(metadata ?? {}))) query[`metadata.${key}`] = String(value);
  return query;
}

/**
 * Converts the property names of a request: `searchIndexes` becomes `search_indexes`. Names below the top level stay, since
 * they are those of data, metadata or masks.
 */
function snakeCaseKeys(value: Json | undefined): Json | undefined {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [snakeCase(key), item]));
}

const snakeCase = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
