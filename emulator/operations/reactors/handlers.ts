import { isObject, type Json } from '../../../src/contract/json.js';
import { LIMITS } from '../../../src/contract/limits.js';
import type { ProblemName } from '../../../src/contract/problems.js';
import { RESOURCES } from '../../../src/contract/resources.js';
import type { ReactorResponse } from '../../../src/contract/schemas/index.js';
import { ProblemError, type ProblemExtra, problem, validationProblem } from '../../problems/problem.js';
import { toProblem } from '../../problems/to-problem.js';
import type { Invoker } from '../../services/idempotency/async-results.js';
import type { StoredResponse } from '../../services/idempotency/record.js';
import type { ReactorRecord } from '../../store/records.js';
import type { Call } from '../call.js';
import type { Context, Handler } from '../context.js';
import { toExpressionProblem } from '../execute.js';
import { assertCodeRoom } from '../resource/code-room.js';
import { crudHandlers } from '../resource/crud.js';
import type { ServedResource } from '../resource/served-resource.js';
import { assertSecureUrl } from '../secure-url.js';
import { detokenizePayload } from '../tokenize/detokenize.js';
import type { AccessServices } from '../tokens/record-access.js';
import { checkCode, invokeAsync } from './async-invocation.js';
import { runReactor } from './run-reactor.js';

/** Code that does not parse is stored, as the remote service does; invoking it is 422. */
const reactor: ServedResource<'reactors'> = {
  row: RESOURCES.reactor,
  assertRoom: assertCodeRoom,
  /** The next invocation runs the new code. */
  afterChange: ({ id }, { sandbox }) => sandbox.retire(id),
};

/**
 * POST /reactors/{id}/react-async. What can be checked before the code runs is answered at once (400, 403, 422); the result of
 * the code is stored.
 */
const reactAsync: Handler<'reactors.reactAsync'> = async ({ resource, body }, caller, context) => {
  const timeoutMs = body.timeout_ms ?? LIMITS.asyncTimeoutMs.default;
  const id = await context.results.start(invokerOf(resource, caller), async (tokenIds, accept) => {
    const call = { ...caller, tokenIds };
    const begun = await beginRun(resource, body.args, call, context);
    const run = { ...begun, timeoutMs, isBackground: true };
    await checkCode(run, context);
    accept();
    try {
      return storeResponse(await run.invocation.finish(() => runReactor(run, context)));
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
const getResult: Handler<'reactors.result'> = async ({ resource, path }, call, context) => {
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

const react: Handler<'reactors.react'> = async ({ resource, body }, caller, context) => {
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
  const run = await beginRun(resource, body.args, call, context);
  if (url != null) {
    const { default: usual } = LIMITS.asyncTimeoutMs;
    const background = { ...run, tokenIds, timeoutMs: timeoutMs ?? usual, isBackground: true };
    return invokeAsync(background, url, context);
  }
  const response = await run.invocation.finish(() =>
    runReactor({ ...run, timeoutMs: LIMITS.syncTimeoutMs }, context),
  );
  return { status: 200, body: response };
};

/** Begins an invocation with its arguments, detokenized. @throws ProblemError, with which the invocation ends */
async function beginRun(reactor: ReactorRecord, given: unknown, call: Call, context: Context) {
  const invocation = call.record.beginInvocation(reactor, call.depth, context.clock);
  const args = await invocation.attempt(() =>
    invocation.measure('detokenize', () => resolveArguments(given, call, context)),
  );
  return { reactor, args, call, invocation };
}

/** The problem of a failed invocation, as it is stored until the result is read. */
interface StoredProblem extends ProblemExtra {
  problem: ProblemName;
  detail: string;
}

function storeResponse(body: ReactorResponse): StoredResponse {
  return { status: 200, body };
}

function storeProblem(error: ProblemError): StoredResponse {
  const { problem, message: detail, status, title, errors, headers, body } = error;
  const stored: StoredProblem = {
    problem,
    detail,
    status,
    title,
    ...(errors && { errors }),
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
  };
  return { status, body: stored };
}

/** Returns a stored result. @throws ProblemError the failure of the invocation */
function readResult({ body }: StoredResponse): ReactorResponse {
  if (!isStoredProblem(body)) return body as ReactorResponse;
  const { problem, detail, ...extra } = body;
  throw new ProblemError(problem, detail, extra);
}

/** The status does not tell: a `CustomHttpResponseError` may have 200. A result has `raw` and `tokens` only. */
const isStoredProblem = (body: unknown): body is StoredProblem =>
  typeof body === 'object' && body !== null && 'problem' in body;

/**
 * Replaces the expressions in the arguments of a reactor by raw token data (service-api.md, "Detokenization"). All tokens
 * and permissions are checked first. With `--lenient`, they may be an array.
 * @returns `{}` without arguments
 * @throws ProblemError 400 for an invalid expression or unknown token, 403 without `token:use` on one of the containers,
 *   413 when the resolved arguments are too large
 */
async function resolveArguments(
  args: unknown,
  call: Call,
  services: AccessServices & Pick<Context, 'options'>,
): Promise<Json> {
  if (args === undefined || args === null) return {};
  const replaced = await detokenizePayload(args as Json, 'args', call, services);
  if (!isObject(replaced) && !(services.options.lenient && Array.isArray(replaced))) {
    throw validationProblem({ args: ['must be an object, or an expression whose value is an object'] });
  }
  if (Buffer.byteLength(JSON.stringify(replaced)) > LIMITS.bodyBytes) {
    throw problem(
      'bodyTooLarge',
      `The arguments must be at most ${LIMITS.bodyBytes} bytes when detokenized.`,
    );
  }
  return replaced;
}

export const reactorHandlers = {
  ...crudHandlers(reactor),
  'reactors.react': react,
  'reactors.reactAsync': reactAsync,
  'reactors.result': getResult,
};
