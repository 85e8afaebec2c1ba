import type { Json } from '../../../../src/contract/json.js';
import type { ReactorResponse } from '../../../../src/contract/schemas/index.js';
import type { InvocationOutcome } from '../../../sandbox/outcome.js';
import { audit } from '../../../services/audit-log.js';
import type { TraceRecorder } from '../../../services/reactor-traces/traces.js';
import type { ReactorRecord } from '../../../store/records.js';
import type { Call } from '../../call.js';
import { checkBody } from '../../check-body.js';
import type { Context } from '../../context.js';
import { tokenizePayload } from '../../tokenize/tokenize.js';
import { failureProblem } from './failure.js';
import { parseResult } from './parse-result.js';
import { createReactorCall } from './reactor-call.js';
import { reactorLogging } from './reactor-logging.js';
import { createSvc } from './svc.js';
import { versionedCode } from './versioned-code.js';

/** An invocation with resolved arguments and checked permissions. */
export interface ReactorRun {
  reactor: ReactorRecord;
  args: Json;
  call: Call;
  timeoutMs: number;
  trace: TraceRecorder;
}

/**
 * Runs a reactor and tokenizes the `tokenize` part of its result.
 * @throws ProblemError when the reactor fails
 */
export async function runReactor(run: ReactorRun, context: Context): Promise<ReactorResponse> {
  const { reactor, call } = run;
  context.store.record([audit(call, { entity: 'reactor', operation: 'use', id: reactor.id }, context)]);
  const outcome = await invoke(run, context);
  recordTimings(run.trace, outcome);
  if (outcome.kind !== 'returned') throw failureProblem(outcome, context.headers);
  const { raw, tokenize } = parseResult(outcome.value);
  return {
    ...(tokenize !== undefined && { tokens: await tokenizeResult(tokenize, run, context) }),
    ...(raw !== undefined && { raw }),
  };
}

function invoke(
  { reactor, args, call, timeoutMs, trace }: ReactorRun,
  context: Context,
): Promise<InvocationOutcome> {
  return context.sandbox.invoke({
    ...versionedCode(reactor),
    args,
    configuration: reactor.configuration,
    svc: reactor.application
      ? createSvc(() => createReactorCall(reactor, call, context) ?? call, context)
      : null,
    traceId: call.traceId,
    timeoutMs,
    depth: call.depth,
    ...reactorLogging(reactor, trace, context),
  });
}

/** Tokenizes with the permissions of the reactor's application, or those of the caller if it has none. */
function tokenizeResult(
  tokenize: Json,
  { reactor, call, trace }: ReactorRun,
  context: Context,
): Promise<Json> {
  return trace.measure('tokenize', async () => {
    checkBody(tokenize, 'tokenize');
    return tokenizePayload(tokenize, 'tokenize', createReactorCall(reactor, call, context) ?? call, context);
  });
}

function recordTimings({ trace }: TraceRecorder, { timings }: InvocationOutcome): void {
  const { cold, queueMs, loadMs, runMs } = timings;
  trace.cold = cold;
  Object.assign(trace.phases_ms, { queue: queueMs, load: loadMs, run: runMs });
}
