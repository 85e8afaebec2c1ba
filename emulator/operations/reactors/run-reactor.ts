import { createHash } from 'node:crypto';
import type { HeaderNames } from '../../../src/contract/headers.js';
import { isObject, type Json } from '../../../src/contract/json.js';
import type { ReactorResponse } from '../../../src/contract/schemas/index.js';
import type { Actor, CallerRegistry } from '../../access/caller-registry.js';
import type { Clock } from '../../lib/clock.js';
import { problem } from '../../problems/problem.js';
import type { ReactorCode } from '../../sandbox/invocation.js';
import type { InvocationOutcome } from '../../sandbox/outcome.js';
import type { Sandbox } from '../../sandbox/sandbox.js';
import { audit } from '../../services/audit-log.js';
import type { InvocationRecorder } from '../../services/request-record/invocation.js';
import type { ReactorRecord } from '../../store/records.js';
import type { Call } from '../call.js';
import { checkBody } from '../check-body.js';
import type { Context } from '../context.js';
import { adapterOf } from '../lenient-input.js';
import { tokenizePayload } from '../tokenize/tokenize.js';
import type { TokenServices } from '../tokens/delete.js';
import { failureProblem, runtimeProblem } from './failure.js';
import { createSvc, type SvcServices } from './svc.js';

/** An invocation with resolved arguments and checked permissions. */
export interface ReactorRun {
  reactor: ReactorRecord;
  args: Json;
  call: Call;
  timeoutMs: number;
  /** Whether the caller has been answered already. */
  isBackground?: boolean;
  invocation: InvocationRecorder;
}

/** The services that an invocation needs; `TokenServices` for the tokens of its result. */
export interface InvocationServices extends TokenServices, SvcServices, CallServices {
  clock: TokenServices['clock'];
  sandbox: Pick<Sandbox, 'invoke'>;
  headers: HeaderNames;
  options: Pick<Context['options'], 'lenient'>;
}

/**
 * Runs a reactor and tokenizes the `tokenize` part of its result.
 * @throws ProblemError when the reactor fails
 */
export async function runReactor(run: ReactorRun, services: InvocationServices): Promise<ReactorResponse> {
  const { reactor, call } = run;
  services.store.record([audit(call, { entity: 'reactor', operation: 'use', id: reactor.id }, services)]);
  const { raw, tokenize } = parseResult(await runCode(run, services));
  run.invocation.returned(run.args, raw);
  return {
    ...(tokenize !== undefined && { tokens: await tokenizeResult(tokenize, run, services) }),
    ...(raw !== undefined && { raw }),
  };
}

/** Runs the code of a reactor or transform. @returns what it returned @throws ProblemError when it fails */
export async function runCode(run: ReactorRun, services: InvocationServices): Promise<Json | undefined> {
  const outcome = await invoke(run, services);
  run.invocation.ran(outcome.timings);
  if (outcome.kind === 'threw') run.invocation.error(outcome.error, [run.args, run.reactor.configuration]);
  if (outcome.kind !== 'returned') throw failureProblem(outcome, services.headers);
  return outcome.value;
}

function invoke(
  { reactor, args, call, timeoutMs, isBackground = false, invocation }: ReactorRun,
  services: InvocationServices,
): Promise<InvocationOutcome> {
  return services.sandbox.invoke({
    ...versionedCode(reactor),
    args,
    configuration: reactor.configuration,
    svc: reactor.application
      ? createSvc(
          call.traceId,
          () => createReactorCall(reactor, call, services) ?? call,
          services,
          (done) => invocation.called(done),
        )
      : null,
    traceId: call.traceId,
    timeoutMs,
    depth: call.depth,
    group: reactor.tenant_id,
    isBackground,
    clock: services.clock,
    ...invocation.listeners,
  });
}

/** Tokenizes with the permissions of the reactor's application, or those of the caller if it has none. */
function tokenizeResult(
  tokenize: Json,
  { reactor, call, invocation }: ReactorRun,
  services: InvocationServices,
): Promise<Json> {
  return invocation.measure('tokenize', async () => {
    checkBody(tokenize, 'tokenize');
    const adapt = services.options.lenient ? adapterOf('tokenize') : undefined;
    const body = adapt ? adapt({ query: {}, body: tokenize }, undefined).body : tokenize;
    return tokenizePayload(
      body as Json,
      'tokenize',
      createReactorCall(reactor, call, services) ?? call,
      services,
    );
  });
}

/** The services that a call of a reactor needs. */
interface CallServices {
  callers: CallerRegistry;
  clock: Pick<Clock, 'now'>;
}

/**
 * Creates the call that the code of a reactor makes, with the permissions of the reactor's application.
 * @returns null when the reactor has no application
 * @throws ProblemError 401 when the application was deleted
 */
function createReactorCall(
  reactor: ReactorRecord,
  call: Call,
  { callers, clock }: CallServices,
): Call | null {
  if (!reactor.application) return null;
  const caller = callers.findByApplication(reactor.tenant_id, reactor.application.id);
  if (!caller) throw problem('unauthenticated', 'The application of the reactor has been deleted.');
  const actor: Actor = { id: reactor.id, type: 'reactor' };
  const { application } = caller;
  return {
    ...caller,
    actor,
    record: call.record,
    checks: call.record.beginCall({ application, actor }, clock.now()),
    traceId: call.traceId,
    depth: call.depth + 1,
    ...(call.tokenIds && { tokenIds: call.tokenIds }),
    ...(call.marker && { marker: call.marker }),
  };
}

/** The return value of a reactor; service-api.md, "Reactor code contract". */
interface ReactorOutput {
  raw?: Json;
  tokenize?: Json;
}

/**
 * Validates the return value of a reactor. Undefined and null are `{}`; a field that is null is absent.
 * @throws ProblemError 500 when the value is not an object
 */
function parseResult(value: Json | undefined): ReactorOutput {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) {
    throw runtimeProblem('The reactor must return an object with `raw`, `tokenize`, or both.');
  }
  const { raw, tokenize } = value;
  return {
    ...(raw !== undefined && raw !== null && { raw }),
    ...(tokenize !== undefined && tokenize !== null && { tokenize }),
  };
}

/**
 * Returns the code of a reactor under the version that the sandbox caches it by. The version is a hash of code and
 * configuration, not the record's revision, because a restored snapshot can bring back an old revision with other code.
 */
export function versionedCode({ id, code, configuration }: ReactorRecord): ReactorCode {
  const version = createHash('sha256')
    .update(JSON.stringify([code, configuration]))
    .digest('base64url');
  return { reactorId: id, version, code };
}
