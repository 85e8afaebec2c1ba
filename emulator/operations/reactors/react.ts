import { LIMITS } from '../../../src/contract/limits.js';
import { validationProblem } from '../../problems/problem.js';
import type { Handler } from '../handler.js';
import { assertSecureUrl } from '../secure-url.js';
import { invokeAsync } from './invocation/async-invocation.js';
import { resolveArguments } from './invocation/resolve-arguments.js';
import { runReactor } from './invocation/run-reactor.js';
import { beginTrace, recordFailure, traceOutcome } from './invocation/trace-outcome.js';

export const react: Handler<'reactors.react'> = async ({ resource, body }, caller, context) => {
  const { callback_url: url, timeout_ms: timeoutMs } = body;
  if (timeoutMs != null && url == null) {
    throw validationProblem({
      timeout_ms: ['is only accepted together with callback_url'],
    });
  }
  if (url != null) await assertSecureUrl('callback_url', url, context.options.network);
  const tokenIds = new Set<string>();
  // The response to an asynchronous invocation contains no data; its callback does.
  const call = url == null ? caller : { ...caller, tokenIds };
  const trace = beginTrace(resource, call, context);
  const args = await recordFailure(trace, () =>
    trace.measure('detokenize', () => resolveArguments(body.args, call, context)),
  );
  const run = { reactor: resource, args, call, trace };
  if (url != null) {
    const { default: usual } = LIMITS.asyncTimeoutMs;
    return invokeAsync({ ...run, tokenIds, timeoutMs: timeoutMs ?? usual }, url, context);
  }
  const response = await traceOutcome(trace, () =>
    runReactor({ ...run, timeoutMs: LIMITS.syncTimeoutMs }, context),
  );
  return { status: 200, body: response };
};
