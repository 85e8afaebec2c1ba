import { OPERATION_IDS, type OperationId, operationRow } from '../../src/contract/operations.js';
import { checkPermission } from './authorize.js';
import type { Context } from './context.js';
import type { Call, Handler, Handlers, Perform } from './handler.js';
import { type LoadTarget, targetLoader } from './load-resource.js';
import { createValidator, type Validator } from './validate.js';

/** What a handler answers, in its general shape. */
export interface Answer {
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
export type Steps = (input: Input, call: Call, context: Context) => Promise<Answer>;

const NOTHING = Object.freeze({});

function stepsOf(
  loadTarget: LoadTarget | undefined,
  validate: Validator,
  handler: Handler<OperationId>,
): Steps {
  return async ({ path = NOTHING as Record<string, string>, query = NOTHING, body }, call, context) => {
    const target = loadTarget && (await loadTarget(path.id ?? '', call, context));
    const checked = validate(query, body);
    const request = { path, target, query: checked.query, body: checked.body };
    // The table ties each id to its handler; that its schemas fit is the contract's business.
    return (await handler(request as never, call, context)) as Answer;
  };
}

/** The steps of each operation. */
export function createSteps(handlers: Handlers): Map<OperationId, Steps> {
  const table = handlers as unknown as Record<OperationId, Handler<OperationId>>;
  return new Map(OPERATION_IDS.map((id) => [id, stepsOf(targetLoader(id), createValidator(id), table[id])]));
}

/** Operations in-process, as another caller: what `svc` of reactors does. */
export function createPerform(steps: Map<OperationId, Steps>, context: () => Context): Perform {
  return async (id, input, call) => {
    checkPermission(operationRow(id), call);
    const run = steps.get(id) as Steps;
    return (await run(input, call, context())) as never;
  };
}
