import type { OperationResponse } from '../../../src/contract/schemas/index.js';
import { ProblemError, problemBody } from '../../problems/problem.js';
import { toProblem } from '../../problems/to-problem.js';
import type { Sandbox } from '../../sandbox/sandbox.js';
import type { WebhookQueue } from '../../services/webhooks/webhook-queue.js';
import { toExpressionProblem } from '../execute.js';
import { unusableCodeProblem } from './failure.js';
import { type InvocationServices, type ReactorRun, runReactor, versionedCode } from './run-reactor.js';

interface AsyncServices extends InvocationServices {
  sandbox: Pick<Sandbox, 'invoke' | 'load'>;
  webhookQueue: WebhookQueue;
}

/**
 * Acknowledges an asynchronous invocation, then runs it. The callback has the same body as a synchronous response
 * (decisions.md, "Reactors").
 * @throws ProblemError 422, the last check before the code runs
 */
export async function invokeAsync(
  run: ReactorRun & { tokenIds: ReadonlySet<string> },
  url: string,
  services: AsyncServices,
): Promise<OperationResponse<'reactors.react'>> {
  const { reactor, call, tokenIds } = run;
  const expected = {
    tenantId: reactor.tenant_id,
    reactorId: reactor.id,
    url,
    traceId: call.traceId,
    tokenIds,
  };
  const check = () => checkCode(run, services);
  const work = () => createCallbackBody(run, services);
  const id = await services.webhookQueue.enqueue(expected, check, work, services.store);
  return { status: 202, body: undefined, headers: { [services.headers.requestId]: id } };
}

/** Checks that the code can run. @throws ProblemError 422, and 503 when too many invocations are waiting */
export async function checkCode(
  { reactor, args, timeoutMs, call, invocation }: ReactorRun,
  { sandbox, clock }: Pick<AsyncServices, 'sandbox' | 'clock'>,
): Promise<void> {
  const { traceId, depth } = call;
  const failure = await sandbox.load({
    ...versionedCode(reactor),
    timeoutMs,
    depth,
    traceId,
    group: reactor.tenant_id,
    args,
    clock,
    ...invocation.listeners,
  });
  if (failure?.kind !== 'load-error' && failure?.kind !== 'queue-full') return;
  const error =
    failure.kind === 'load-error'
      ? unusableCodeProblem(failure)
      : new ProblemError('unavailable', failure.message);
  invocation.end(error.status);
  throw error;
}

/** Runs the reactor and creates the body of the callback: the result, or the problem details of the failure. */
async function createCallbackBody(run: ReactorRun, services: AsyncServices): Promise<string> {
  try {
    return JSON.stringify(await run.invocation.finish(() => runReactor(run, services)));
  } catch (error) {
    const { traceId } = run.call;
    const failure = toProblem(toExpressionProblem(error) ?? error, traceId, services.logger);
    return JSON.stringify(failure.body ?? problemBody(failure, traceId));
  }
}
