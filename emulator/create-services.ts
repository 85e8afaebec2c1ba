import { DEFAULT_HEADER_PREFIX, headerNames } from '../src/contract/headers.js';
import { LIMITS } from '../src/contract/limits.js';
import { KeyUse } from './access/application-keys.js';
import { CallerRegistry } from './access/caller-registry.js';
import type { StateKeeper } from './data-dir/state-keeper.js';
import type { Infrastructure } from './infrastructure.js';
import type { Context } from './operations/context.js';
import type { EmulatorOptions } from './options.js';
import { Admission } from './services/admission.js';
import { type CommitPipeline, createCommitPipeline } from './services/commit-pipeline.js';
import type { FaultInjector } from './services/fault-injector.js';
import { AsyncResults } from './services/idempotency/async-results.js';
import { Idempotency } from './services/idempotency/idempotency.js';
import { RequestRecords } from './services/request-record/request-records.js';
import { TenantRedirects } from './services/tenant-redirects.js';
import { SeededTenants } from './services/tenants/seeded-tenants.js';
import { TenantState } from './services/tenants/tenant-state.js';
import { DeliveryRoom } from './services/webhooks/delivery-room.js';
import { EventPublisher } from './services/webhooks/event-publisher.js';
import { WebhookQueue } from './services/webhooks/webhook-queue.js';

/** Creates the services that handlers share, except the one that executes operations: it needs the others. */
export function createServices(
  { store: storage, ...rest }: Infrastructure,
  state: StateKeeper,
  faults: FaultInjector,
  options: EmulatorOptions,
): Omit<Context, 'execute'> {
  const { headerPrefix = DEFAULT_HEADER_PREFIX, leakWatch, refuseRealCards, allowCards = [] } = options;
  const commitPipeline: CommitPipeline = createCommitPipeline({
    store: storage,
    cardRules: refuseRealCards ? { allowed: allowCards } : undefined,
    webhookEvents: () => webhookEvents,
    commits: rest.commits,
    watches: [leakWatch, rest.redaction].filter((watch) => watch !== undefined),
  });
  const infrastructure = { ...rest, store: commitPipeline.store };
  const headers = headerNames(headerPrefix);
  const records = new RequestRecords({ tracing: rest.tracing, watch: leakWatch });
  const idempotency = new Idempotency(infrastructure);
  const room = new DeliveryRoom(infrastructure.store);
  const redirects = new TenantRedirects(infrastructure.network, infrastructure.store.shared);
  const webhookServices = { ...infrastructure, headers, records, redirects, leakWatch, room };
  const webhookQueue = new WebhookQueue(webhookServices);
  const webhookEvents: EventPublisher = new EventPublisher(webhookServices, webhookQueue);
  const callers = new CallerRegistry(infrastructure);
  const { clocks, network, store } = infrastructure;
  const tenantState = new TenantState({
    ...{ clocks, faults, idempotency, records, redirects, webhookEvents, webhookQueue },
    shared: store.shared,
  });
  const seeded = new SeededTenants(
    { ...infrastructure, callers },
    {
      known: state.tenants,
      keys: options.keys ?? {},
      access: options.tenantAccess,
      save: (credentials) => state.setTenants(credentials),
    },
  );
  return {
    ...infrastructure,
    admission: new Admission(),
    commitPipeline,
    options: {
      headerPrefix,
      lenient: options.lenient ?? false,
      deprecated: options.deprecated,
      includedMonthlyTokens: options.includedMonthlyTokens ?? LIMITS.includedMonthlyActiveTokens,
      network,
    },
    headers,
    leakWatch,
    records,
    redirects,
    callers,
    keyUse: new KeyUse(infrastructure),
    seeded,
    idempotency,
    results: new AsyncResults({ ...infrastructure, idempotency }),
    webhookQueue,
    webhookEvents,
    tenantState,
  };
}
