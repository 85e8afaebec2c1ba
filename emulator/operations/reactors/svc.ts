import { isObject, type Json } from '../../../src/contract/json.js';
import type { OperationId } from '../../../src/contract/operations.js';
import { Access } from '../../access/access.js';
import type { Actor, Caller } from '../../access/caller-registry.js';
import { problem, validationProblem } from '../../problems/problem.js';
import { toProblem } from '../../problems/to-problem.js';
import type { SvcCall } from '../../sandbox/invocation.js';
import type { InvocationRecorder } from '../../services/request-record/invocation.js';
import type { ReactorRecord } from '../../store/records.js';
import { checkPermission } from '../authorize.js';
import type { Call, Context, OperationInput, OperationResult } from '../context.js';
import { checkBody } from '../json-body.js';

/** Takes the parts of a request from the arguments of a method. */
type Input = (params: Json[]) => OperationInput;

const withBody: Input = ([body]) => ({ body: snakeCaseKeys(body) });
const withId: Input = ([id]) => ({ path: { id: toId(id) } });
const withIdAndBody: Input = ([id, body]) => ({ path: { id: toId(id) }, body: snakeCaseKeys(body ?? {}) });
/** Any JSON, unchanged; its property names belong to the reactor. */
const withJson: Input = ([body]) => ({ body });

/** The methods of `svc` (decisions.md, "Reactors"), each the operation of its name. */
const METHODS: { readonly [Id in OperationId]?: Input } = {
  'tokens.create': withBody,
  'tokens.get': withId,
  'tokens.list': ([filter]) => ({ query: toQuery(filter) }),
  'tokens.update': withIdAndBody,
  'tokens.delete': withId,
  'tokens.search': withBody,
  'reactors.react': withIdAndBody,
  tokenize: withJson,
  detokenize: withJson,
};

/** An invocation with resolved arguments and checked permissions. */
export interface ReactorRun {
  reactor: ReactorRecord;
  args: Json;
  call: Call;
  timeoutMs: number;
  /** Whether the caller has been answered already. */
  isBackground?: boolean;
  /** Of one whose result is asked for. */
  requestId?: string;
  invocation: InvocationRecorder;
}

export const actsForItself = ({ application, runtime }: ReactorRecord): boolean =>
  (application ?? runtime?.permissions) !== undefined;

/** Returns an application that has the permissions of a reactor, and no key. */
function ownCaller({ id, tenant_id, name, runtime, created_at }: ReactorRecord, { tenant }: Call): Caller {
  const permissions = runtime?.permissions ?? [];
  // A transform acts as its proxy.
  const identity = { id: id.replace(/:.*/, ''), tenant_id, name, created_at, revision: 0 };
  const application = { ...identity, type: 'private', permissions } as const;
  return { tenant, application, access: new Access(application), actor: { id, type: 'reactor' } };
}

/** Creates the call that code makes: with the permissions of its application, its own, or those of the caller. */
export function reactorCall(
  { reactor, call }: Pick<ReactorRun, 'reactor' | 'call'>,
  { callers, clock }: Context,
): Call {
  if (!actsForItself(reactor)) return call;
  const caller = reactor.application
    ? callers.findByApplication(reactor.tenant_id, reactor.application.id)
    : ownCaller(reactor, call);
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
    ...(call.signal && { signal: call.signal }),
    ...(call.tokenIds && { tokenIds: call.tokenIds }),
    ...(call.marker && { marker: call.marker }),
  };
}

/** Creates the `svc` of a reactor. A call rejects with `status` and `errors` where the API responds with a problem. */
export function createSvc(run: ReactorRun, context: Context): SvcCall {
  return async (name, params) => {
    const operation = name as OperationId;
    const input = Object.hasOwn(METHODS, name) ? METHODS[operation] : undefined;
    if (!input) throw new Error(`svc has no method ${name}.`);
    const startedAt = performance.now();
    let call: Call | undefined;
    let status = 500;
    try {
      call = reactorCall(run, context);
      checkPermission(operation, call);
      for (const param of params) checkBody(param);
      const result: OperationResult = await context.execute(operation, input(params), call);
      status = result.status;
      return result.body;
    } catch (error) {
      const thrown = toProblem(error, run.call.traceId, context.logger);
      status = thrown.status;
      const { message, errors } = thrown;
      throw Object.assign(new Error(message), { status, ...(errors && { errors }) });
    } finally {
      if (call) run.invocation.called({ call, operation, status, durationMs: performance.now() - startedAt });
    }
  };
}

function toId(id: Json | undefined): string {
  if (typeof id === 'string' && id !== '') return id;
  throw validationProblem({ id: ['must be a non-empty string'] });
}

/** Converts a filter to query parameters, which are strings as over HTTP. */
function toQuery(filter: Json | undefined): Record<string, unknown> {
  const fields = snakeCaseKeys(filter ?? {});
  if (!isObject(fields)) throw validationProblem({ query: ['must be an object'] });
  const { metadata, ...rest } = fields;
  // Without a prototype, because filters may have any name.
  const query: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(rest))
    if (value !== null) query[name] = Array.isArray(value) ? value.map(String) : String(value);
  for (const [key, value] of Object.entries(Object(metadata ?? {}))) query[`metadata.${key}`] = String(value);
  return query;
}

/** Converts `searchIndexes` to `search_indexes`. Names below the top level are those of data, metadata or masks. */
function snakeCaseKeys(value: Json | undefined): Json | undefined {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [snakeCase(key), item]));
}

const snakeCase = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
