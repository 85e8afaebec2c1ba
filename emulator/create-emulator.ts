import type { Server } from 'node:net';
import { resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { DEFAULT_HEADER_PREFIX, headerNames } from '../src/contract/headers.js';
import { LIMITS } from '../src/contract/limits.js';
import { AccessTraces } from './access/access-traces.js';
import { createCallerRegistry } from './access/caller-registry.js';
import { createApp } from './app.js';
import type { Control } from './control/control.js';
import { controlPlugin } from './control/plugin.js';
import { readStats } from './control/stats-handlers.js';
import { openStorage } from './data-dir/open-storage.js';
import { CONTROL_TOKEN_STATE, StateKeeper } from './data-dir/state-keeper.js';
import { closeApp } from './http/connections/close.js';
import { createHttpsFactory, type ServerFactory } from './http/connections/https.js';
import { createIpv6Listener } from './http/connections/listen.js';
import { type AdjustableClock, createClock } from './lib/clock.js';
import { createIds, type Ids } from './lib/ids.js';
import { createLogger, type Logger } from './lib/logger.js';
import { TenantClocks } from './lib/tenant-clocks.js';
import type { Context } from './operations/context.js';
import { createExecute } from './operations/execute.js';
import { invokeProxy } from './operations/proxies/invoke.js';
import { transformIds } from './operations/proxies/transform.js';
import { handlers } from './operations/registry.js';
import { startSweep } from './operations/tokens/sweep.js';
import { DEFAULT_HOST, type EmulatorOptions } from './options.js';
import type { GuestNames } from './sandbox/protocol.js';
import { createSandbox, type Sandbox } from './sandbox/sandbox.js';
import { AllowedOrigins } from './services/allowed-origins.js';
import { DeliveryCounters } from './services/counters/delivery-counters.js';
import { RequestCounters } from './services/counters/request-counters.js';
import { StoreCounters } from './services/counters/store-counters.js';
import { createEvents } from './services/events.js';
import { FaultInjector } from './services/fault-injector.js';
import { AsyncResults } from './services/idempotency/async-results.js';
import { createIdempotency } from './services/idempotency/idempotency.js';
import { createRealCardGuard } from './services/leaks/real-card-guard.js';
import { createLeakWatchingStore } from './services/leaks/watching-store.js';
import { createRateLimiter, createSharedRateLimiter, type RateLimiter } from './services/rate-limiter.js';
import { ReactorTraces } from './services/reactor-traces/traces.js';
import { RequestJournal } from './services/request-journal/journal.js';
import { PeerActivity } from './services/shared-store/peer-activity.js';
import { SharedState } from './services/shared-store/shared-state.js';
import { checkKeys } from './services/tenants/seed-keys.js';
import { SeededTenants } from './services/tenants/seeded-tenants.js';
import { TenantState } from './services/tenants/tenant-state.js';
import type { Tracing } from './services/tracing/tracing.js';
import { createPublishingStore } from './services/webhooks/publishing-store.js';
import { WebhookEvents } from './services/webhooks/webhook-events.js';
import { WebhookQueue } from './services/webhooks/webhook-queue.js';
import { WebhookRegistry } from './services/webhooks/webhook-registry.js';
import type { Snapshots } from './store/snapshots.js';
import type { Store } from './store/store.js';
import type { StoreProbe } from './store/store-health.js';

/** The parts of an emulator that does not listen yet. */
export interface EmulatorParts {
  app: FastifyInstance;
  /** Accepts connections on a second address, `::1` beside `127.0.0.1`. */
  ipv6Listener: Server;
  context: Context;
  clock: AdjustableClock;
  state: StateKeeper;
  close(): Promise<void>;
}

/** The parts that must be closed when the start fails. */
interface Base {
  logger: Logger;
  clock: AdjustableClock;
  clocks: TenantClocks;
  ids: Ids;
  store: Store;
  commits: StoreCounters;
  snapshots: Snapshots;
  probeStore: StoreProbe;
  sandbox: Sandbox;
  tracing: Tracing | undefined;
  httpsFactory: ServerFactory | undefined;
}

/**
 * Loads the data and composes an emulator.
 * @param warmSandbox starts a sandbox instance before anything else, because its thread can start while the data is loaded.
 *   Goal R2, invocation at the ready line: 148 → 48 ms.
 * @throws what opening the store throws, after closing everything again
 */
export async function createEmulator(
  options: EmulatorOptions,
  { warmSandbox = false } = {},
): Promise<EmulatorParts> {
  const base = await openBase(options, warmSandbox);
  try {
    return await compose(base, options);
  } catch (error) {
    await closeBase(base);
    throw error;
  }
}

/** The client of reactors is named after the service's headers: `req.bt` with the prefix `BT`, beside `req.svc`. */
function guestNames({ headerPrefix = DEFAULT_HEADER_PREFIX, moduleAliases }: EmulatorOptions): GuestNames {
  const client = headerPrefix.toLowerCase();
  const isTaken = ['args', 'configuration', 'svc'].includes(client);
  return { ...(!isTaken && { client }), ...(moduleAliases && { modules: moduleAliases }) };
}

async function openBase(options: EmulatorOptions, warmSandbox: boolean): Promise<Base> {
  checkKeys(options.keys ?? {});
  const httpsFactory = options.tls && (await createHttpsFactory(options.tls));
  const logger = options.logger ?? createLogger();
  const clock = createClock(logger, options.clock);
  const sandbox = createSandbox({
    runtime: options.reactorRuntime ?? 'quickjs',
    ...(options.reactorModules !== undefined && { modulesDir: options.reactorModules }),
    names: guestNames(options),
    clock,
    network: networkOf(options),
    ...(options.interceptRequest && { interceptRequest: options.interceptRequest }),
    logger,
  });
  if (warmSandbox) void sandbox.warm();
  try {
    const { store, snapshots, probe } = await openStorage(options, logger);
    const tracing = await openTracing(options, logger);
    const commits = new StoreCounters();
    const counted = commits.count(guardStore(store, options));
    return {
      logger,
      clock,
      clocks: new TenantClocks(clock, store.shared),
      ids: createIds(),
      store: counted,
      commits,
      snapshots,
      probeStore: probe,
      sandbox,
      tracing,
      httpsFactory,
    };
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

async function compose(base: Base, options: EmulatorOptions): Promise<EmulatorParts> {
  const { clock, commits, probeStore } = base;
  const state = await openState(base, options);
  const faultInjector = new FaultInjector({ ids: base.ids, shared: base.store.shared });
  const services = createServices(base, state, faultInjector, options);
  const context: Context = { ...services, execute: createExecute(handlers, services) };
  const sharedStore = base.store.shared;
  const rateLimiter = openRateLimiter(base, options);
  const origins = new AllowedOrigins(options.allowOrigins ?? [], sharedStore);
  const shared =
    sharedStore &&
    new SharedState(sharedStore, { ...context, clock, faults: faultInjector, origins, transformIds });
  const control: Control = {
    context,
    clock,
    faults: faultInjector,
    origins,
    counters: {
      requests: new RequestCounters(context.events),
      commits,
      deliveries: new DeliveryCounters(context.events),
    },
    probeStore,
    ...(state.dataDir !== undefined && { dataDir: state.dataDir }),
    ...(rateLimiter && { rateLimiter }),
    ...(shared && { shared }),
    token: state.controlToken,
    ready: false,
  };

  const peers =
    sharedStore && new PeerActivity(sharedStore, { ...context, readStats: () => readStats(control) });
  if (peers) control.peers = peers;

  const { host = DEFAULT_HOST } = options;
  const { headerPrefix, lenient } = context.options;
  const { publicUrl } = options;
  const originPolicy = { host, scheme: base.httpsFactory ? 'https' : 'http', publicUrl, origins } as const;
  const app = createApp({
    ...context,
    openApi: { prefix: headerPrefix, lenient, ...(publicUrl !== undefined && { serverUrl: publicUrl }) },
    httpsFactory: base.httpsFactory,
    originPolicy,
    faultInjector,
    rateLimiter,
    shared,
    invokeProxy: (request) => invokeProxy(request, context),
  });
  app.register(controlPlugin(control), { prefix: '/_emulator' });
  const ipv6Listener = createIpv6Listener(app);

  await Promise.all([prepareData(context, shared), app.ready()]);
  peers?.start();
  control.ready = true;
  const close = async () => {
    control.ready = false;
    await closeApp(app, ipv6Listener);
    await peers?.stop();
    await state.setAddress(undefined).finally(() => closeBase(base, context));
  };
  return { app, ipv6Listener, context, clock, state, close };
}

/** Brings the stored data up to date, and starts what works on it. */
async function prepareData(context: Context, shared: SharedState | undefined): Promise<void> {
  const { seeded, webhooks, callbacks } = context;
  await (shared ? shared.join(() => seeded.reconcile({ trustKnown: true })) : seeded.reconcile());
  await webhooks.refresh();
  await startSweep(context);
  await callbacks.load();
  callbacks.startPolling();
}

function openState({ logger, ids, store }: Base, { dataDir }: EmulatorOptions): Promise<StateKeeper> {
  const directory = dataDir === undefined ? undefined : resolve(dataDir);
  return StateKeeper.open(directory, logger, (known = ids.secret('control')) =>
    store.shared ? store.shared.updateState<string>(CONTROL_TOKEN_STATE, (token) => token ?? known) : known,
  );
}

/** Loads the exporter of spans if there is a receiver. */
async function openTracing({ otlpEndpoint }: EmulatorOptions, logger: Logger): Promise<Tracing | undefined> {
  if (otlpEndpoint === undefined) return undefined;
  const { createOtlpTracing } = await import('./services/tracing/otlp-tracing.js');
  return createOtlpTracing(otlpEndpoint, logger);
}

/** Adds what looks at each commit, if the options ask for it. */
function guardStore(store: Store, { refuseRealCards, leakWatch }: EmulatorOptions): Store {
  const guarded = refuseRealCards ? createRealCardGuard(store) : store;
  return leakWatch ? createLeakWatchingStore(guarded, leakWatch) : guarded;
}

function openRateLimiter({ clock, store }: Base, options: EmulatorOptions): RateLimiter | undefined {
  const { rateLimit, rateLimitScale = 1 } = options;
  if (rateLimit === false) return undefined;
  return store.shared
    ? createSharedRateLimiter(clock, store.shared, rateLimitScale)
    : createRateLimiter(clock, rateLimitScale);
}

function createServices(
  base: Base,
  state: StateKeeper,
  faults: FaultInjector,
  options: EmulatorOptions,
): Omit<Context, 'execute'> {
  const { headerPrefix = DEFAULT_HEADER_PREFIX, leakWatch } = options;
  const network = networkOf(options);
  const headers = headerNames(headerPrefix);
  const events = createEvents();
  const idempotency = createIdempotency(base);
  const callbacks = new WebhookQueue({ ...base, headers, events, network, leakWatch });
  const webhooks = new WebhookRegistry(base.store);
  const webhookEvents = new WebhookEvents({ ...base, webhooks, queue: callbacks });
  const callers = createCallerRegistry(base);
  const traces = new ReactorTraces(base.tracing, leakWatch);
  const accessTraces = new AccessTraces();
  const journal = new RequestJournal();
  const { clocks, store } = base;
  const own = {
    clocks,
    faults,
    idempotency,
    events,
    journal,
    traces,
    accessTraces,
    webhookEvents,
    callbacks,
  };
  const tenantState = new TenantState({ ...own, shared: store.shared });
  const seeded = new SeededTenants(
    { ...base, callers },
    {
      known: state.tenants,
      keys: options.keys ?? {},
      access: options.tenantAccess,
      save: (credentials) => state.setTenants(credentials),
    },
  );
  return {
    ...base,
    store: createPublishingStore(base.store, webhookEvents),
    options: {
      headerPrefix,
      lenient: options.lenient ?? false,
      includedMonthlyTokens: options.includedMonthlyTokens ?? LIMITS.includedMonthlyActiveTokens,
      network,
    },
    headers,
    events,
    callers,
    seeded,
    idempotency,
    results: new AsyncResults({ ...base, idempotency }),
    callbacks,
    webhooks,
    webhookEvents,
    traces,
    accessTraces,
    journal,
    tenantState,
  };
}

function networkOf({ network }: EmulatorOptions): NonNullable<EmulatorOptions['network']> {
  return network ?? { mode: 'loopback' };
}

/** Closing the sandbox ends running invocations; their results are stored and delivered after the next start. */
async function closeBase(
  { clock, sandbox, store, tracing }: Base,
  pending?: Pick<Context, 'callbacks' | 'results'>,
): Promise<void> {
  clock.stop();
  pending?.callbacks.stop();
  await sandbox.close();
  await pending?.callbacks.drain();
  await pending?.results.drain();
  await store.close();
  await tracing?.close();
}
