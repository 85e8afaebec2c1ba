import { OPERATION_IDS, type OperationId, operationRow } from '../../src/contract/operations.js';
import { checkPermission } from './authorize.js';
import type { Context } from './context.js';
import type { Call, Execute, Handler, Handlers } from './handler.js';
import { type LoadResource, resourceLoader } from './load-resource.js';
import { createValidator, type Validator } from './validate.js';

/** What a handler answers, in its general shape. */
export interface OperationResult {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** What a request brings along, unchecked. */
export interface Input {
  path?: Record<string, string>;
  query?: unknown;
  body?: unknown;
}

/** The last steps of every operation: path id (404), query and body (400), handler. */
export type OperationRunner = (input: Input, call: Call, context: Context) => Promise<OperationResult>;

const NOTHING = Object.freeze({});

function stepsOf(
  loadTarget: LoadResource | undefined,
  validate: Validator,
  handler: Handler<OperationId>,
): OperationRunner {
  return async ({ path = NOTHING as Record<string, string>, query = NOTHING, body }, call, context) => {
    const target = loadTarget && (await loadTarget(path.id ?? '', call, context));
    const checked = validate(query, body);
    const request = { path, target, query: checked.query, body: checked.body };
    // The table ties each id to its handler; that its schemas fit is the contract's business.
    return (await handler(request as never, call, context)) as OperationResult;
  };
}

/** The steps of each operation. */
export function createRunners(handlers: Handlers): Map<OperationId, OperationRunner> {
  const table = handlers as unknown as Record<OperationId, Handler<OperationId>>;
  return new Map(
    OPERATION_IDS.map((id) => [id, stepsOf(resourceLoader(id), createValidator(id), table[id])]),
  );
}

/** Operations in-process, as another caller: what `svc` of reactors does. */
export function createExecute(steps: Map<OperationId, OperationRunner>, context: () => Context): Execute {
  return async (id, input, call) => {
    checkPermission(operationRow(id), call);
    const run = steps.get(id) as OperationRunner;
    return (await run(input, call, context())) as never;
  };
}
