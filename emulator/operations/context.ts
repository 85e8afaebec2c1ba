import type { HeaderNames } from '../../src/contract/headers.js';
import type { OperationId, Operations } from '../../src/contract/operations.js';
import type { OperationRequest, OperationResponse } from '../../src/contract/schemas/index.js';
import type { KeyUse } from '../access/application-keys.js';
import type { Caller, CallerRegistry } from '../access/caller-registry.js';
import type { Clock } from '../lib/clock.js';
import type { Ids } from '../lib/ids.js';
import type { Logger } from '../lib/logger.js';
import type { TenantClocks } from '../lib/tenant-clocks.js';
import type { NetworkPolicy } from '../sandbox/network/policy.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import type { Admission, Charge } from '../services/admission.js';
import type { Audited } from '../services/audit-log.js';
import type { CommitPipeline } from '../services/commit-pipeline.js';
import type { AsyncResults } from '../services/idempotency/async-results.js';
import type { Idempotency } from '../services/idempotency/idempotency.js';
import type { IdempotencyMarker } from '../services/idempotency/marker.js';
import type { LeakWatch } from '../services/leaks/leak-watch.js';
import type { Redaction } from '../services/leaks/redaction.js';
import type { CallChecks } from '../services/request-record/call-checks.js';
import type { RequestRecord } from '../services/request-record/request-record.js';
import type { RequestRecords } from '../services/request-record/request-records.js';
import type { Snapshots } from '../services/snapshots.js';
import type { TenantRedirects } from '../services/tenant-redirects.js';
import type { SeededTenants } from '../services/tenants/seeded-tenants.js';
import type { TenantState } from '../services/tenants/tenant-state.js';
import type { Tracing } from '../services/tracing/tracing.js';
import type { EventPublisher } from '../services/webhooks/event-publisher.js';
import type { WebhookQueue } from '../services/webhooks/webhook-queue.js';
import type { CollectionName, Records, Stored } from '../store/records.js';
import type { Store } from '../store/store.js';

interface ContextOptions {
  headerPrefix: string;
  /** Monthly active tokens of the billing plan, for the usage report. */
  includedMonthlyTokens: number;
  /** Accepts what current clients send and the specification does not allow. */
  lenient: boolean;
  /** What becomes of requests for what the API family has switched off. */
  deprecated: 'warn' | 'refuse' | undefined;
  /** Hosts that reactors and callbacks may connect to. */
  network: NetworkPolicy;
}

/** The services that handlers share. Created once at the start and passed to every handler. */
export interface Context {
  readonly options: ContextOptions;
  readonly headers: HeaderNames;
  /** The clock of the tenant whose call is handled. */
  readonly clock: Clock;
  readonly clocks: TenantClocks;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly store: Store;
  readonly commitPipeline: Pick<CommitPipeline, 'storeOf'>;
  /** undefined: nothing is searched for token data. */
  readonly leakWatch: LeakWatch | undefined;
  readonly redaction: Redaction | undefined;
  readonly callers: CallerRegistry;
  readonly keyUse: KeyUse;
  /** The tenants whose API keys stay printable. */
  readonly seeded: SeededTenants;
  readonly sandbox: Sandbox;
  readonly webhookQueue: WebhookQueue;
  readonly webhookEvents: EventPublisher;
  readonly results: AsyncResults;
  readonly records: RequestRecords;
  /** Stubs that stand for hosts. */
  readonly redirects: TenantRedirects;
  /** Handlers that delete tokens discard the stored responses that show them. */
  readonly idempotency: Idempotency;
  readonly snapshots: Snapshots;
  readonly tenantState: TenantState;
  /** Records spans; undefined without a receiver. */
  readonly tracing: Tracing | undefined;
  /** Decides which large requests begin. */
  readonly admission: Admission;
  /** Executes an operation in-process, for `svc` of reactors. */
  readonly execute: Execute;
}

/** Returns the context for the calls of a tenant, whose clock may be another. */
export function contextOf(context: Context, tenantId: string): Context {
  const clock = context.clocks.of(tenantId);
  return clock === context.clock ? context : { ...context, clock };
}

/** The collection whose record the path id names; `never` for a path without id. */
type ResourceCollection<Path extends string> = Path extends `/${infer Collection}/{id}${string}`
  ? Collection extends 'documents'
    ? 'tokens'
    : Collection & CollectionName
  : never;

export type ResourceName = ResourceCollection<Operations[OperationId]['path']>;

/** A validated request, with the resource that its path id names. */
type HandlerRequest<Id extends OperationId> = OperationRequest<Id> &
  ([ResourceCollection<Operations[Id]['path']>] extends [never]
    ? unknown
    : { resource: Stored<Records[ResourceCollection<Operations[Id]['path']>]> });

/** Executes one operation. The permission, the path id and the request have been checked. @throws ProblemError */
export type Handler<Id extends OperationId> = (
  request: HandlerRequest<Id>,
  call: Call,
  context: Context,
) => Promise<OperationResponse<Id>>;

/** One handler per operation; a missing one is a compile error. */
export type Handlers = { [Id in OperationId]: Handler<Id> };

/** One call of an operation: the authenticated caller, over HTTP or through `svc` of a reactor. */
export interface Call extends Caller {
  traceId: string;
  record: RequestRecord;
  /** What the call asked its access controls. */
  checks: CallChecks;
  /** Number of reactors above this call in a chain of `svc.reactors.react`; 0 over HTTP. */
  depth: number;
  /** Present if the response will be stored. Add the ids of its tokens, so that it is deleted with any of them. */
  tokenIds?: Set<string>;
  /** Present with `tokenIds` when other processes share the store: the commits of the call go through it. */
  marker?: IdempotencyMarker;
  /** Aborted when the caller hangs up. Absent if somebody may ask for the response again, with the idempotency key. */
  signal?: AbortSignal;
  /** What the request holds. Absent in calls of the emulator itself. */
  charge?: Charge;
  /** Paths of the properties of the body that `--lenient` ignored. */
  ignored?: string[];
  /** When, and whether, the reactor or proxy that the call writes becomes active; at once without it. */
  activation?: { delayMs: number; fails: boolean } | undefined;
  /** The last audit entry of the call: what the event log says of it. */
  audited?: Audited | undefined;
}

/** Returns the id of what a call has its access of: only calls with the same may share the response to one of them. */
export const idOfAccess = ({ application, session }: Caller): string => (session ?? application).id;

export interface OperationInput {
  path?: Readonly<Record<string, string>>;
  query?: unknown;
  body?: unknown;
}

export type OperationResult = { status: number; body: unknown; headers?: Record<string, string> };

/** Executes an operation for a caller that holds its permission. @throws ProblemError */
export type Execute = <Id extends OperationId>(
  id: Id,
  input: OperationInput,
  call: Call,
) => Promise<OperationResponse<Id>>;
