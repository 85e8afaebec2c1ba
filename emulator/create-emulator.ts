import type { Server } from 'node:net';
import { resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { DEFAULT_HEADER_PREFIX, headerNames } from '../src/contract/headers.js';
import { LIMITS } from '../src/contract/limits.js';
import { createCallerRegistry } from './access/caller-registry.js';
import { createApp } from './app.js';
import type { Control } from './control/control.js';
import { openSnapshots, openStorage } from './data-dir/open-storage.js';
import { StateKeeper } from './data-dir/state-keeper.js';
import { closeApp } from './http/connections/close.js';
import { createIpv6Listener } from './http/connections/listen.js';
import { type AdjustableClock, createClock } from './lib/clock.js';
import { createIds, type Ids } from './lib/ids.js';
import { createLogger, type Logger } from './lib/logger.js';
import type { Context } from './operations/context.js';
import { createExecute, createRunners } from './operations/execute.js';
import { handlers } from './operations/registry.js';
import { startSweep } from './operations/tokens/sweep.js';
import { DEFAULT_HOST, type EmulatorOptions } from './options.js';
import { createSandbox, type Sandbox } from './sandbox/sandbox.js';
import { createEvents } from './services/events.js';
import { FaultInjector } from './services/fault-injector.js';
import { createIdempotency } from './services/idempotency.js';
import { createRateLimiter } from './services/rate-limiter.js';
import { ReactorTraces } from './services/reactor-traces/traces.js';
import { checkKeys } from './services/tenants/seed-keys.js';
import { SeededTenants } from './services/tenants/seeded-tenants.js';
import { WebhookQueue } from './services/webhooks/webhook-queue.js';
import type { Store } from './store/store.js';

/** Everything that an emulator is made of; not listening yet. */
export interface EmulatorParts {
  app: FastifyInstance;
  /** For an address beside the app's. */
  second: Server;
  context: Context;
  clock: AdjustableClock;
  state: StateKeeper;
  close(): Promise<void>;
}

interface Base {
  logger: Logger;
  clock: AdjustableClock;
  ids: Ids;
  store: Store;
  sandbox: Sandbox;
}

function openSandbox(options: EmulatorOptions, { clock, logger }: Pick<Base, 'clock' | 'logger'>): Sandbox {
  return createSandbox({
    runtime: options.reactorRuntime ?? 'quickjs',
    ...(options.reactorModules !== undefined && { modulesDir: options.reactorModules }),
    clock,
    network: networkOf(options),
    logger,
  });
}

function networkOf({ network }: EmulatorOptions): NonNullable<EmulatorOptions['network']> {
  return network ?? { mode: 'loopback' };
}

async function openBase(options: EmulatorOptions): Promise<Base> {
  checkKeys(options.keys ?? {});
  const logger = options.logger ?? createLogger();
  const clock = createClock(logger, options.clock);
  const store = await openStorage(options, logger);
  return { logger, clock, ids: createIds(), store, sandbox: openSandbox(options, { clock, logger }) };
}

async function openSeeded(base: Base & Pick<Context, 'callers'>, options: EmulatorOptions) {
  const dataDir = options.dataDir === undefined ? undefined : resolve(options.dataDir);
  const state = await StateKeeper.open(dataDir, base.logger, () => base.ids.secret('control'));
  const seeded = new SeededTenants(base, {
    known: state.tenants,
    keys: options.keys ?? {},
    save: (credentials) => state.setTenants(credentials),
  });
  return { state, seeded };
}

function createContext(
  base: Base & Pick<Context, 'callers' | 'seeded'>,
  options: EmulatorOptions,
  steps: ReturnType<typeof createRunners>,
): Context {
  const { headerPrefix = DEFAULT_HEADER_PREFIX } = options;
  const shared = {
    ...base,
    options: {
      headerPrefix,
      includedMonthlyTokens: options.includedMonthlyTokens ?? LIMITS.includedMonthlyActiveTokens,
      network: networkOf(options),
    },
    headers: headerNames(headerPrefix),
    events: createEvents(),
  };
  const context: Context = {
    ...shared,
    idempotency: createIdempotency(base),
    callbacks: new WebhookQueue({ ...shared, network: shared.options.network }),
    traces: new ReactorTraces(),
    execute: createExecute(steps, () => context),
  };
  return context;
}

function createControl(
  context: Context,
  { clock, snapshots, token }: Pick<Control, 'clock' | 'snapshots' | 'token'>,
  options: EmulatorOptions,
) {
  const control: Control = {
    context,
    clock,
    faults: new FaultInjector(context.ids),
    snapshots,
    ...(options.rateLimit !== false && {
      rateLimiter: createRateLimiter(clock, options.rateLimitScale ?? 1),
    }),
    token,
    ready: false,
  };
  return control;
}

/** Loads the data and puts the emulator together. @throws what opening the store throws; nothing is left open then */
export async function createEmulator(options: EmulatorOptions): Promise<EmulatorParts> {
  const base = await openBase(options);
  try {
    return await assemble(base, options);
  } catch (error) {
    await closeBase(base);
    throw error;
  }
}

async function assemble(base: Base, options: EmulatorOptions): Promise<EmulatorParts> {
  const { clock } = base;
  const directory = createCallerRegistry(base.store);
  const { state, seeded } = await openSeeded({ ...base, callers: directory }, options);
  const steps = createRunners(handlers);
  const context = createContext({ ...base, callers: directory, seeded }, options, steps);
  const snapshots = await openSnapshots(options, base.store);
  const control = createControl(context, { clock, snapshots, token: state.controlToken }, options);
  const { host = DEFAULT_HOST, allowOrigins = [] } = options;
  const app = createApp(control, steps, { host, allowOrigins });
  const second = createIpv6Listener(app);
  await seeded.reconcile();
  await startSweep(context);
  await context.callbacks.load();
  await app.ready();
  control.ready = true;
  const close = async () => {
    control.ready = false;
    await closeApp(app, second);
    await state.setAddress(undefined).finally(() => closeBase(base, context.callbacks));
  };
  return { app, second, context, clock, state, close };
}

/** The sandbox ends what runs, and what comes of it is stored as callbacks to be delivered after the next start. */
async function closeBase({ clock, sandbox, store }: Base, callbacks?: WebhookQueue): Promise<void> {
  clock.stop();
  callbacks?.stop();
  await sandbox.close();
  await callbacks?.drain();
  await store.close();
}
