import type { Server } from 'node:net';
import { resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { DEFAULT_HEADER_PREFIX, headerNames } from '../src/contract/headers.js';
import { LIMITS } from '../src/contract/limits.js';
import { createCallerRegistry } from './access/caller-registry.js';
import { createApp } from './app.js';
import type { Control } from './control/control.js';
import { controlPlugin } from './control/plugin.js';
import { openStorage } from './data-dir/open-storage.js';
import { StateKeeper } from './data-dir/state-keeper.js';
import { closeApp } from './http/connections/close.js';
import { createIpv6Listener } from './http/connections/listen.js';
import { type AdjustableClock, createClock } from './lib/clock.js';
import { createIds, type Ids } from './lib/ids.js';
import { createLogger, type Logger } from './lib/logger.js';
import type { Context } from './operations/context.js';
import { createExecute } from './operations/execute.js';
import { invokeProxy } from './operations/proxies/invoke.js';
import { transformIds } from './operations/proxies/transform.js';
import { handlers } from './operations/registry.js';
import { startSweep } from './operations/tokens/sweep.js';
import { DEFAULT_HOST, type EmulatorOptions } from './options.js';
import { createSandbox, type Sandbox } from './sandbox/sandbox.js';
import { AllowedOrigins } from './services/allowed-origins.js';
import { AsyncResults } from './services/async-results.js';
import { createEvents } from './services/events.js';
import { FaultInjector } from './services/fault-injector.js';
import { createIdempotency } from './services/idempotency.js';
import { createRateLimiter, createSharedRateLimiter, type RateLimiter } from './services/rate-limiter.js';
import { ReactorTraces } from './services/reactor-traces/traces.js';
import { RequestCounters } from './services/request-counters.js';
import { SharedState } from './services/shared-state.js';
import { checkKeys } from './services/tenants/seed-keys.js';
import { SeededTenants } from './services/tenants/seeded-tenants.js';
import { createPublishingStore } from './services/webhooks/publishing-store.js';
import { WebhookEvents } from './services/webhooks/webhook-events.js';
import { WebhookQueue } from './services/webhooks/webhook-queue.js';
import { WebhookRegistry } from './services/webhooks/webhook-registry.js';
import type { Snapshots } from './store/snapshots.js';
import type { Store } from './store/store.js';

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
  ids: Ids;
  store: Store;
  snapshots: Snapshots;
  sandbox: Sandbox;
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

async function openBase(options: EmulatorOptions, warmSandbox: boolean): Promise<Base> {
  checkKeys(options.keys ?? {});
  const logger = options.logger ?? createLogger();
  const clock = createClock(logger, options.clock);
  const sandbox = createSandbox({
    runtime: options.reactorRuntime ?? 'quickjs',
    ...(options.reactorModules !== undefined && { modulesDir: options.reactorModules }),
    clock,
    network: networkOf(options),
    logger,
  });
  if (warmSandbox) void sandbox.warm();
  try {
    const { store, snapshots } = await openStorage(options, logger);
    return { logger, clock, ids: createIds(), store, snapshots, sandbox };
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

async function compose(base: Base, options: EmulatorOptions): Promise<EmulatorParts> {
  const { clock, ids, snapshots } = base;
  const state = await openState(base, options);
  const services = createServices(base, state, options);
  const context: Context = { ...services, execute: createExecute(handlers, services) };
  const sharedStore = base.store.shared;
  const faultInjector = new FaultInjector({ ids, shared: sharedStore });
  const rateLimiter = openRateLimiter(base, options);
  const origins = new AllowedOrigins(options.allowOrigins ?? [], sharedStore);
  const shared =
    sharedStore &&
    new SharedState(sharedStore, { ...context, clock, faults: faultInjector, origins, transformIds });
  const control: Control = {
    context,
    clock,
    faults: faultInjector,
    snapshots,
    origins,
    counters: new RequestCounters(context.events),
    ...(state.dataDir !== undefined && { dataDir: state.dataDir }),
    ...(rateLimiter && { rateLimiter }),
    ...(shared && { shared }),
    token: state.controlToken,
    ready: false,
  };

  const { host = DEFAULT_HOST } = options;
  const { headerPrefix } = context.options;
  const originPolicy = { host, origins };
  const app = createApp({
    ...context,
    headerPrefix,
    originPolicy,
    faultInjector,
    rateLimiter,
    shared,
    invokeProxy: (request) => invokeProxy(request, context),
  });
  app.register(controlPlugin(control), { prefix: '/_emulator' });
  const ipv6Listener = createIpv6Listener(app);

  await (shared
    ? shared.join(() => context.seeded.reconcile({ trustKnown: true }))
    : context.seeded.reconcile());
  await context.webhooks.refresh();
  await startSweep(context);
  await context.callbacks.load();
  context.callbacks.startPolling();
  await app.ready();
  control.ready = true;
  const close = async () => {
    control.ready = false;
    await closeApp(app, ipv6Listener);
    await state.setAddress(undefined).finally(() => closeBase(base, context));
  };
  return { app, ipv6Listener, context, clock, state, close };
}

function openState({ logger, ids, store }: Base, { dataDir }: EmulatorOptions): Promise<StateKeeper> {
  const directory = dataDir === undefined ? undefined : resolve(dataDir);
  return StateKeeper.open(directory, logger, (known = ids.secret('control')) =>
    store.shared ? store.shared.updateState<string>('control_token', (token) => token ?? known) : known,
  );
}

function openRateLimiter({ clock, store }: Base, options: EmulatorOptions): RateLimiter | undefined {
  const { rateLimit, rateLimitScale = 1 } = options;
  if (rateLimit === false) return undefined;
  return store.shared
    ? createSharedRateLimiter(clock, store.shared, rateLimitScale)
    : createRateLimiter(clock, rateLimitScale);
}

function createServices(base: Base, state: StateKeeper, options: EmulatorOptions): Omit<Context, 'execute'> {
  const { headerPrefix = DEFAULT_HEADER_PREFIX } = options;
  const network = networkOf(options);
  const headers = headerNames(headerPrefix);
  const events = createEvents();
  const idempotency = createIdempotency(base);
  const callbacks = new WebhookQueue({ ...base, headers, events, network });
  const webhooks = new WebhookRegistry(base.store);
  const webhookEvents = new WebhookEvents({ ...base, webhooks, queue: callbacks });
  const callers = createCallerRegistry(base);
  const seeded = new SeededTenants(
    { ...base, callers },
    {
      known: state.tenants,
      keys: options.keys ?? {},
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
    traces: new ReactorTraces(),
  };
}

function networkOf({ network }: EmulatorOptions): NonNullable<EmulatorOptions['network']> {
  return network ?? { mode: 'loopback' };
}

/** Closing the sandbox ends running invocations; their results are stored and delivered after the next start. */
async function closeBase(
  { clock, sandbox, store }: Base,
  pending?: Pick<Context, 'callbacks' | 'results'>,
): Promise<void> {
  clock.stop();
  pending?.callbacks.stop();
  await sandbox.close();
  await pending?.callbacks.drain();
  await pending?.results.drain();
  await store.close();
}
