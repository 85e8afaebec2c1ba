import { createHash } from 'node:crypto';
import { isObject, type Json } from '../../../src/contract/json.js';
import type { ReactorResponse } from '../../../src/contract/schemas/index.js';
import { ProblemError } from '../../problems/problem.js';
import { audit } from '../../services/audit-log.js';
import type { ReactorRecord } from '../../store/records.js';
import type { Context } from '../context.js';
import { checkBody } from '../json-body.js';
import { adapterOf } from '../lenient-input.js';
import { tokenizePayload } from '../tokenize/tokenize.js';
import { badGateway, eventResponse, failureProblem, runtimeProblem, unusableCodeProblem } from './failure.js';
import { actsForItself, createSvc, type ReactorRun, reactorCall } from './svc.js';

/** Runs a reactor and tokenizes the `tokenize` part of its result. @throws ProblemError when the reactor fails */
export async function runReactor(run: ReactorRun, context: Context): Promise<ReactorResponse> {
  await report('invoked', run, context);
  try {
    const response = await respond(run, context);
    await report('completed', run, context);
    return response;
  } catch (error) {
    const isResponse = error instanceof ProblemError && error.status < 400;
    await report(isResponse ? 'completed' : 'failed', run, context);
    throw error;
  }
}

function report(
  verb: 'invoked' | 'completed' | 'failed',
  { reactor: { id, name, tenant_id }, call: { actor }, isBackground = false, requestId }: ReactorRun,
  { webhookEvents }: Context,
): Promise<void> {
  const request = { ...(requestId && { id: requestId }), invocation_type: isBackground ? 'async' : 'sync' };
  return webhookEvents.report(`reactor.${verb}`, tenant_id, { reactor: { id, name }, request, actor });
}

async function respond(run: ReactorRun, context: Context): Promise<ReactorResponse> {
  const { reactor, call } = run;
  context.store.record([audit(call, { entity: 'reactor', operation: 'use', id: reactor.id }, context)]);
  const isEvent = takesEvent(reactor);
  const value = await runCode(isEvent ? { ...run, args: { req: { args: run.args } } } : run, context);
  if (isEvent) {
    run.invocation.returned(run.args, value);
    throw eventResponse(value, context.headers);
  }
  const { raw, tokenize } = parseResult(value);
  run.invocation.returned(run.args, raw);
  return {
    ...(tokenize !== undefined && { tokens: await tokenizeResult(tokenize, run, context) }),
    ...(raw !== undefined && { raw }),
  };
}

/** Runs the code of a reactor or transform. @returns what it returned @throws ProblemError when it fails */
export async function runCode(run: ReactorRun, context: Context): Promise<Json | undefined> {
  const { reactor, args, call, isBackground = false, invocation } = run;
  const outcome = await context.sandbox.invoke({
    ...sandboxRequest(run, context),
    ...{ args, configuration: reactor.configuration },
    svc: actsForItself(reactor) ? createSvc(run, context) : null,
    takesEvent: takesEvent(reactor),
    isBackground,
    ...(call.signal && !isBackground && { signal: call.signal }),
  });
  invocation.ran(outcome.timings);
  if (outcome.kind === 'threw') invocation.error(outcome.error, [args, reactor.configuration]);
  if (outcome.kind === 'threw' && takesEvent(reactor)) throw badGateway(outcome.error);
  if (outcome.kind !== 'returned') throw failureProblem(outcome, context.headers);
  return outcome.value;
}

/** Whether the image of code has the newer contract (decisions.md, "The family as it is today"). */
export const takesEvent = ({ runtime }: Pick<ReactorRecord, 'runtime'>): boolean =>
  (runtime?.image ?? 'node-bt') !== 'node-bt';

/** Checks that the code can run. @throws ProblemError 422 */
export async function checkCode(run: ReactorRun, context: Context): Promise<void> {
  const failure = await context.sandbox.load(sandboxRequest(run, context));
  if (failure?.kind !== 'load-error') return;
  const error = unusableCodeProblem(failure);
  run.invocation.end(error.status);
  throw error;
}

/** Builds a request to the sandbox. The version is a hash: a snapshot can bring back an old revision with other code. */
function sandboxRequest({ reactor, call, timeoutMs, invocation }: ReactorRun, context: Context) {
  const { id, code, configuration, tenant_id } = reactor;
  const { clock, options, redirects } = context;
  const network = redirects.networkOf(tenant_id);
  const isOwn = network !== options.network;
  // Clients of packages keep connections open: those to a host end with the instance when a stub stands for it.
  const parts = [code, configuration, ...(isOwn ? [network] : [])];
  const hash = createHash('sha256').update(JSON.stringify(parts));
  const { traceId, depth } = call;
  return {
    ...{ reactorId: id, version: hash.digest('base64url'), code },
    ...{ traceId, depth, timeoutMs, tenantId: tenant_id, clock, ...(isOwn && { network }) },
    ...invocation.listeners,
  };
}

/** Tokenizes with the permissions of the reactor's application, or those of the caller if it has none. */
function tokenizeResult(tokenize: Json, run: ReactorRun, context: Context): Promise<Json> {
  return run.invocation.measure('tokenize', async () => {
    checkBody(tokenize, 'tokenize');
    const adapt = context.options.lenient ? adapterOf('tokenize') : undefined;
    const body = adapt ? adapt({ query: {}, body: tokenize }, undefined).body : tokenize;
    return tokenizePayload(body as Json, 'tokenize', reactorCall(run, context), context);
  });
}

/** The return value of a reactor; service-api.md, "Reactor code contract". */
type ReactorOutput = { raw?: Json; tokenize?: Json };

/** Validates what a reactor returned. Undefined and null are `{}`. @throws ProblemError 500 when it is not an object */
function parseResult(value: Json | undefined): ReactorOutput {
  if (value === undefined || value === null) return {};
  if (!isObject(value))
    throw runtimeProblem('The reactor must return an object with `raw`, `tokenize`, or both.');
  const { raw, tokenize } = value;
  return {
    ...(raw !== undefined && raw !== null && { raw }),
    ...(tokenize !== undefined && tokenize !== null && { tokenize }),
  };
}
