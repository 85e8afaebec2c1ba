import { isObject, type Json } from '../../../src/contract/json.js';
import { LIMITS } from '../../../src/contract/limits.js';
import type { ProblemName } from '../../../src/contract/problems.js';
import { RESOURCES } from '../../../src/contract/resources.js';
import type { ReactorResponse } from '../../../src/contract/schemas/index.js';
import { jsonLength } from '../../lib/json-bounds.js';
import { SMALL_BYTES } from '../../lib/turns.js';
import {
  ProblemError,
  type ProblemExtra,
  problem,
  problemBody,
  validationProblem,
} from '../../problems/problem.js';
import { toProblem } from '../../problems/to-problem.js';
import { COSTS } from '../../services/admission.js';
import type { Invoker } from '../../services/idempotency/async-results.js';
import type { StoredResponse } from '../../services/idempotency/record.js';
import type { ReactorRecord } from '../../store/records.js';
import { type Call, type Context, type Handlers, idOfAccess } from '../context.js';
import { toExpressionProblem } from '../execute.js';
import { assertActive, stateOf } from '../resource/activation.js';
import { crudHandlers } from '../resource/crud.js';
import { assertCodeRoom, type ServedResource } from '../resource/served-resource.js';
import { assertSecureUrl } from '../secure-url.js';
import { detokenizePayload } from '../tokenize/detokenize.js';
import { checkCode, runReactor } from './run-reactor.js';
import type { ReactorRun } from './svc.js';

/** Code that does not parse is stored, as the remote service does; invoking it is 422. */
const reactor: ServedResource<'reactors'> = {
  row: RESOURCES.reactor,
  assertRoom: assertCodeRoom,
  derive: (record, now, { lenient }) =>
    lenient || record.runtime || record.activation ? stateOf(record, now) : {},
  isActivated: true,
  /** The next invocation runs the new code. */
  afterChange: ({ id }, { sandbox }) => sandbox.retire(id),
};

function invokerOf({ id }: ReactorRecord, call: Call): Invoker {
  return { tenantId: call.tenant.id, applicationId: idOfAccess(call), reactorId: id };
}

/** Begins an invocation with its arguments, detokenized. @throws ProblemError, with which the invocation ends */
async function beginRun(
  reactor: ReactorRecord,
  given: unknown,
  timeoutMs: number,
  call: Call,
  context: Context,
): Promise<ReactorRun> {
  assertActive(reactor, 'reactor', context);
  const invocation = call.record.beginInvocation(reactor, call.depth, context.clock);
  const args = await invocation.attempt(() =>
    invocation.measure('detokenize', () => resolveArguments(given, call, context)),
  );
  return { reactor, args, timeoutMs, call, invocation };
}

/** Begins an invocation that outlives its request, with an account of its own. @returns with `release` of that */
async function beginInBackground(
  reactor: ReactorRecord,
  { args, timeout_ms: timeoutMs }: { args?: unknown; timeout_ms?: number | null | undefined },
  call: Call,
  context: Context,
): Promise<ReactorRun & { release(): void }> {
  const run = await beginRun(reactor, args, timeoutMs ?? LIMITS.asyncTimeoutMs.default, call, context);
  let release = () => {};
  const charge = context.admission.open(
    () => call.tenant.id,
    (end) => (release = end),
  );
  const bytes = Math.max(SMALL_BYTES, jsonLength(run.args, LIMITS.bodyBytes) * COSTS.args);
  await run.invocation.attempt(() => charge.raise(bytes));
  return { ...run, isBackground: true, release };
}

/** Runs an invocation whose caller has been answered. @returns its result, or the problem of its failure */
async function settle(run: ReactorRun, context: Context): Promise<ReactorResponse | ProblemError> {
  try {
    return await run.invocation.finish(() => runReactor(run, context));
  } catch (error) {
    return toProblem(toExpressionProblem(error) ?? error, run.call.traceId, context.logger);
  }
}

/**
 * Replaces the expressions in the arguments of a reactor by raw token data (service-api.md, "Detokenization"). All tokens
 * and permissions are checked first. With `--lenient`, they may be an array.
 * @returns `{}` without arguments
 * @throws ProblemError 400 for an invalid expression or unknown token, 403 without `token:use` on one of the containers,
 *   413 when the resolved arguments are too large
 */
async function resolveArguments(args: unknown, call: Call, context: Context): Promise<Json> {
  if (args === undefined || args === null) return {};
  const replaced = await detokenizePayload(args as Json, 'args', call, context);
  if (!isObject(replaced) && !(context.options.lenient && Array.isArray(replaced)))
    throw validationProblem({ args: ['must be an object, or an expression whose value is an object'] });
  if (Buffer.byteLength(JSON.stringify(replaced)) <= LIMITS.bodyBytes) return replaced;
  const detail = `The arguments must be at most ${LIMITS.bodyBytes} bytes when detokenized.`;
  throw problem('bodyTooLarge', detail);
}

/** The problem of a failed invocation, as it is stored until the result is read. */
interface StoredProblem extends ProblemExtra {
  problem: ProblemName;
  detail: string;
}

function storeProblem(error: ProblemError): StoredResponse {
  const { problem, message: detail, status, title, errors, headers, body } = error;
  const stored: StoredProblem = {
    ...{ problem, detail, status, title },
    ...(errors && { errors }),
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
  };
  return { status, body: stored };
}

function readResult({ body }: StoredResponse): ReactorResponse {
  // The status does not tell: a `CustomHttpResponseError` may have 200. A result has `raw` and `tokens` only.
  if (!isObject(body) || !('problem' in body)) return body as ReactorResponse;
  const { problem, detail, ...extra } = body as unknown as StoredProblem;
  throw new ProblemError(problem, detail, extra);
}

export const reactorHandlers = {
  ...crudHandlers(reactor),
  /** POST /reactors/{id}/react. With `callback_url` the invocation is acknowledged, and its result is sent there. */
  async 'reactors.react'({ resource, body }, caller, context) {
    const { callback_url: url, timeout_ms: timeoutMs } = body;
    if (url == null) {
      if (timeoutMs != null)
        throw validationProblem({ timeout_ms: ['is only accepted together with callback_url'] });
      const run = await beginRun(resource, body.args, LIMITS.syncTimeoutMs, caller, context);
      return { status: 200, body: await run.invocation.finish(() => runReactor(run, context)) };
    }
    await assertSecureUrl('callback_url', url, context.options.network);
    // The response to an asynchronous invocation contains no data; its callback does.
    const tokenIds = new Set<string>();
    const run = await beginInBackground(resource, body, { ...caller, tokenIds }, context);
    const { traceId } = caller;
    const expected = { tenantId: resource.tenant_id, reactorId: resource.id, url, traceId, tokenIds };
    const check = () => checkCode(run, context);
    const work = async () => {
      const result = await settle(run, context).finally(run.release);
      const isFailure = result instanceof ProblemError;
      return JSON.stringify(isFailure ? (result.body ?? problemBody(result, traceId)) : result);
    };
    const id = await context.webhookQueue.enqueue(expected, check, work, context.store).catch((error) => {
      run.release();
      throw error;
    });
    return { status: 202, body: undefined, headers: { [context.headers.requestId]: id } };
  },
  /** POST /reactors/{id}/react-async. What can be checked before the code runs is answered at once (400, 403, 422). */
  async 'reactors.reactAsync'({ resource, body }, caller, context) {
    const id = await context.results.start(
      invokerOf(resource, caller),
      async (tokenIds, accept, requestId) => {
        const run = await beginInBackground(resource, body, { ...caller, tokenIds }, context);
        try {
          await checkCode(run, context);
          accept();
          const result = await settle({ ...run, requestId }, context);
          return result instanceof ProblemError ? storeProblem(result) : { status: 200, body: result };
        } finally {
          run.release();
        }
      },
    );
    return {
      status: 202,
      body: { asyncReactorRequestId: id },
      headers: { [context.headers.requestId]: id },
    };
  },
  async 'reactors.result'({ resource, path }, call, context) {
    const result = await context.results.find(invokerOf(resource, call), path.request_id);
    if (result) return { status: 200, body: readResult(result) };
    throw problem(
      'notFound',
      'There is no result with this request id: it is not available yet, or no longer.',
    );
  },
} satisfies Partial<Handlers>;
