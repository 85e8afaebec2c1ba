import { LIMITS } from '../../../src/contract/limits.js';
import { problem } from '../../problems/problem.js';
import { toProblem } from '../../problems/to-problem.js';
import type { Invoker } from '../../services/idempotency/async-results.js';
import type { ReactorRecord } from '../../store/records.js';
import type { Call } from '../call.js';
import { toExpressionProblem } from '../expression-problem.js';
import type { Handler } from '../handler.js';
import { checkCode } from './invocation/async-invocation.js';
import { resolveArguments } from './invocation/resolve-arguments.js';
import { runReactor } from './invocation/run-reactor.js';
import { readResult, storeProblem, storeResponse } from './invocation/stored-result.js';
import { beginTrace, recordFailure, traceOutcome } from './invocation/trace-outcome.js';

/**
 * POST /reactors/{id}/react-async. What can be checked before the code runs is answered at once (400, 403, 422); the result of
 * the code is stored.
 */
export const reactAsync: Handler<'reactors.reactAsync'> = async ({ resource, body }, caller, context) => {
  const timeoutMs = body.timeout_ms ?? LIMITS.asyncTimeoutMs.default;
  const id = await context.results.start(invokerOf(resource, caller), async (tokenIds, accept) => {
    const call = { ...caller, tokenIds };
    const trace = beginTrace(resource, call, context);
    const args = await recordFailure(trace, () =>
      trace.measure('detokenize', () => resolveArguments(body.args, call, context)),
    );
    const run = { reactor: resource, args, call, trace, timeoutMs };
    await checkCode(run, context);
    accept();
    try {
      return storeResponse(await traceOutcome(trace, () => runReactor(run, context)));
    } catch (error) {
      return storeProblem(toProblem(toExpressionProblem(error) ?? error, call.traceId, context.logger));
    }
  });
  return {
    status: 202,
    body: { asyncReactorRequestId: id },
    headers: { [context.headers.requestId]: id },
  };
};

/** GET /reactors/{id}/results/{request_id}. */
export const getResult: Handler<'reactors.result'> = async ({ resource, path }, call, context) => {
  const result = await context.results.find(invokerOf(resource, call), path.request_id);
  if (result) return { status: 200, body: readResult(result) };
  throw problem(
    'notFound',
    'There is no result with this request id: it is not available yet, or no longer.',
  );
};

function invokerOf({ id }: ReactorRecord, { tenant, application }: Call): Invoker {
  return { tenantId: tenant.id, applicationId: application.id, reactorId: id };
}
