import { resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { CONTROL_PREFIX } from '../src/contract/control/endpoints.js';
import { createApp } from './app.js';
import type { Control } from './control/control.js';
import { EventStreams } from './control/event-stream.js';
import { controlPlugin } from './control/plugin.js';
import { createServices } from './create-services.js';
import { CONTROL_TOKEN_STATE, StateKeeper } from './data-dir/state-keeper.js';
import { closeApp } from './http/close.js';
import { closeInfrastructure, type Infrastructure, openInfrastructure } from './infrastructure.js';
import type { AdjustableClock } from './lib/clock.js';
import { StartError } from './lib/start-error.js';
import type { Context, Execute } from './operations/context.js';
import { transformIds } from './operations/proxy-record.js';
import { startSweep } from './operations/tokens/sweep.js';
import { DEFAULT_HOST, type EmulatorOptions } from './options.js';
import { AllowedOrigins } from './services/allowed-origins.js';
import { DeliveryCounters, RequestCounters } from './services/counters.js';
import { FaultInjector } from './services/fault-injector.js';
import { RateLimiter } from './services/rate-limiter.js';
import { PeerActivity, readStats } from './services/shared-store/peer-activity.js';
import { SharedState } from './services/shared-store/shared-state.js';
import { ignoreUnavailable, StoreUnavailableError } from './store/errors.js';

/** How often keys that have expired are taken out of the state file. */
const KEY_CHECK_MS = 60_000;

export interface EmulatorParts {
  app: FastifyInstance;
  context: Context;
  clock: AdjustableClock;
  state: StateKeeper;
  /** Reports from now on that requests are accepted. */
  accept(): void;
  close(): Promise<void>;
}

/** Loads the data and composes an emulator. @param warmSandbox starts a sandbox instance first @throws {StartError} */
export async function createEmulator(options: EmulatorOptions, { warmSandbox = false } = {}) {
  try {
    const infrastructure = await openInfrastructure(options, { warmSandbox });
    try {
      return await compose(infrastructure, options);
    } catch (error) {
      await closeInfrastructure(infrastructure);
      throw error;
    }
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    const message = 'The database went away, or did not answer, while the emulator started.';
    throw new StartError('store_unreachable', message, { cause: error });
  }
}

async function compose(infrastructure: Infrastructure, options: EmulatorOptions): Promise<EmulatorParts> {
  const { clock, commits, httpsFactory, ids, probeStore, store } = infrastructure;
  const state = await openState(infrastructure, options);
  const faultInjector = new FaultInjector(ids, store.shared);
  const services = createServices(infrastructure, state, faultInjector, options);
  const context: Context = { ...services, execute: executeOnDemand(services) };
  const sharedStore = store.shared;
  const { rateLimit = true, rateLimitScale = 1 } = options;
  const rateLimiter = rateLimit ? new RateLimiter(clock, rateLimitScale, sharedStore) : undefined;
  const origins = new AllowedOrigins(options.allowOrigins ?? [], sharedStore);
  const shared =
    sharedStore &&
    new SharedState(sharedStore, { ...context, clock, faults: faultInjector, origins, transformIds });
  const requests = new RequestCounters(context.records);
  const peers =
    sharedStore &&
    new PeerActivity(sharedStore, { ...context, readStats: () => readStats(context.sandbox, requests) });
  const control: Control = {
    context,
    clock,
    faults: faultInjector,
    origins,
    counters: { requests, commits, deliveries: new DeliveryCounters(context.records) },
    probeStore,
    ...(state.dataDir !== undefined && { dataDir: state.dataDir }),
    ...(rateLimiter && { rateLimiter }),
    ...(shared && { shared }),
    ...(peers && { peers }),
    ...(options.onStop && { onStop: options.onStop }),
    token: state.controlToken,
    streams: new EventStreams(context.records),
    ready: false,
  };

  const { host = DEFAULT_HOST } = options;
  const { headerPrefix } = context.options;
  const { publicUrl } = options;
  const originPolicy = { host, scheme: httpsFactory ? 'https' : 'http', publicUrl, origins } as const;
  const app = createApp({
    ...context,
    openApi: { prefix: headerPrefix, ...(publicUrl !== undefined && { serverUrl: publicUrl }) },
    httpsFactory,
    originPolicy,
    faultInjector,
    rateLimiter,
    shared,
    async invokeProxy(request) {
      const { invokeProxy } = await import('./operations/proxies/invoke.js');
      return invokeProxy(request, context);
    },
  });
  app.register(controlPlugin(control), { prefix: CONTROL_PREFIX });

  await Promise.all([prepareData(context, shared, options), app.ready()]);
  peers?.start();
  let loading: NodeJS.Timeout | undefined;
  const accept = () => {
    control.ready = true;
    loading = setTimeout(loadAll, LOAD_DELAY_MS).unref();
  };
  const close = async () => {
    control.ready = false;
    clearTimeout(loading);
    await closeApp(app);
    await peers?.stop();
    await state.setAddress(undefined).finally(() => closeInfrastructure(infrastructure, context));
  };
  return { app, context, clock, state, accept, close };
}

/** After a start, and before a build or an update could replace the files. */
const LOAD_DELAY_MS = 1_000;

/** Loads what the first request would load, and a request to stop. */
const loadAll = () =>
  Promise.all([
    import('./operations/execute.js'),
    import('./operations/registry.js'),
    import('./control/handlers.js'),
  ]).catch(() => {});

/** Loads the operations and the schemas of their requests with the first call, not at the start (goal S3). */
function executeOnDemand(services: Omit<Context, 'execute'>): Execute {
  let loaded: Promise<Execute> | undefined;
  const load = async () => {
    const { createContext } = await import('./operations/execute.js');
    const { handlers } = await import('./operations/registry.js');
    return createContext(handlers, services).execute;
  };
  return async (...call) => {
    loaded ??= load();
    return (await loaded)(...call);
  };
}

/** Brings the stored data up to date, and starts what works on it. */
async function prepareData(context: Context, shared: SharedState | undefined, options: EmulatorOptions) {
  const { seeded, webhookEvents, webhookQueue, clocks } = context;
  const reconcile = () => seeded.reconcile({ trustKnown: shared !== undefined });
  await (shared ? shared.join(options.clock, reconcile) : reconcile());
  clocks.each((clock) => {
    clock.every(KEY_CHECK_MS, () => seeded.dropExpiredKeys().catch(ignoreUnavailable));
  });
  await webhookEvents.refresh();
  await startSweep(context);
  webhookQueue.start();
}

/** 128 bits: the URL of the dashboard, which holds the token, fits in 80 columns. */
const CONTROL_TOKEN_BYTES = 16;

function openState({ logger, ids, store }: Infrastructure, { dataDir }: EmulatorOptions) {
  const directory = dataDir === undefined ? undefined : resolve(dataDir);
  return StateKeeper.open(directory, logger, (known = ids.secret('control', CONTROL_TOKEN_BYTES)) =>
    store.shared ? store.shared.updateState<string>(CONTROL_TOKEN_STATE, (token) => token ?? known) : known,
  );
}
