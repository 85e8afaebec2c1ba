import { OPERATION_IDS, type OperationId, operationRow } from '../../src/contract/operations.js';
import { RESOURCES } from '../../src/contract/resources.js';
import { isUuid } from '../../src/contract/uuid.js';
import { BudgetExceededError, EvaluationBusyError } from '../expressions/index.js';
import { ProblemError, problem, retryableProblem, validationProblem } from '../problems/problem.js';
import type { TokenRecord } from '../store/records.js';
import {
  type Call,
  type Context,
  contextOf,
  type Execute,
  type Handler,
  type Handlers,
  type OperationInput,
  type OperationResult,
  type ResourceName,
} from './context.js';
import { adapterOf, type LenientInput } from './lenient-input.js';
import { withNextPage } from './pagination.js';
import { isExpired } from './token-expiry.js';
import { createValidator, type Validator } from './validate.js';

/** Creates the context of handlers with `execute`, which runs the last steps of every call, over HTTP or through `svc`. */
export function createContext(handlers: Handlers, services: Omit<Context, 'execute'>): Context {
  // A handler's type depends on its id. That the table's schemas match it is tested with the contract.
  const table = handlers as unknown as Record<OperationId, Handler<OperationId>>;
  const executors = new Map(OPERATION_IDS.map((id) => [id, createExecutor(id, table[id], services.options)]));
  const execute: Execute = (id, input, call) => executors.get(id)?.(input, call, context) as never;
  const context: Context = { ...services, execute };
  return context;
}

/** The order of decisions.md: resource (404), query and body (400), handler, which checks the containers (403). */
function createExecutor(id: OperationId, handler: Handler<OperationId>, options: Context['options']) {
  const loadResource = resourceLoader(id);
  const adapt = options.lenient ? adapterOf(id) : undefined;
  let validate: Validator | undefined;
  return async ({ path = {}, query = {}, body }: OperationInput, call: Call, shared: Context) => {
    const own = contextOf(shared, call.tenant.id);
    const context = call.marker ? { ...own, store: own.commitPipeline.storeOf(call.marker) } : own;
    const resource = loadResource && (await loadResource(path.id ?? '', call, context));
    const input: LenientInput = adapt ? adapt({ query, body }, resource) : { query, body };
    validate ??= createValidator(id, options);
    const valid = validate(input.query, input.body, resource);
    if (valid.ignored) call.ignored = valid.ignored;
    try {
      const request = { path, resource, query: valid.query, body: valid.body };
      const result = await handler(request as never, call, context);
      return input.byCursor ? withNextPage(result) : result;
    } catch (error) {
      return toSuccess(toExpressionProblem(error) ?? error);
    }
  };
}

/** Returns the success that a reactor chose with `CustomHttpResponseError`. @throws every other error */
function toSuccess(error: unknown): OperationResult {
  if (!(error instanceof ProblemError) || error.status >= 400) throw error;
  const { status, body, headers } = error;
  return { status, body, ...(headers && { headers }) };
}

const NOUNS = new Map<string, string>([
  ['tokens', 'token'],
  ['token-intents', 'token intent'],
  ['keys', 'key'],
  ...Object.values(RESOURCES).map(({ collection, noun }) => [collection, noun] as const),
]);

/** Returns what loads the record that an operation's path id names, or throws 404; undefined without a path id. */
function resourceLoader(operation: OperationId) {
  const { path, uuid } = operationRow(operation);
  if (!path.includes('{id}')) return undefined;
  const isDocument = path.startsWith('/documents/');
  const collection = isDocument ? 'tokens' : (path.split('/')[1] as ResourceName);
  return async (id: string, { tenant }: Call, { store, clock }: Context) => {
    // UUIDs are stored in lower case, but a client may send capitals.
    const key = uuid ? id.toLowerCase() : id;
    const record = uuid && !isUuid(key) ? undefined : await store.get(collection, tenant.id, key);
    // Only tokens expire. An expired token does not exist for callers, even before the sweep deletes it.
    const isKind = !isDocument || (record as TokenRecord | undefined)?.type === 'document';
    if (record && isKind && !isExpired(record as Partial<TokenRecord>, clock.now())) return record;
    throw problem('notFound', `There is no ${isDocument ? 'document' : NOUNS.get(collection)} with this id.`);
  };
}

/** Converts an error of evaluating expressions, which any operation may throw; undefined for other errors. */
export function toExpressionProblem(error: unknown): ProblemError | undefined {
  if (error instanceof BudgetExceededError) return validationProblem(error.errors);
  if (!(error instanceof EvaluationBusyError)) return undefined;
  return retryableProblem('unavailable', 'Too many expressions are waiting to be evaluated. Try again.');
}
