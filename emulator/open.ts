import { resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { DEFAULT_HEADER_PREFIX, headerNames } from '../src/contract/headers.js';
import { LIMITS } from '../src/contract/limits.js';
import { createDirectory } from './access/directory.js';
import { createApp } from './app.js';
import { type AdjustableClock, createClock } from './clock.js';
import type { Context } from './context.js';
import type { Control } from './control/control.js';
import { Faults } from './control/faults.js';
import { createEvents } from './events.js';
import { handlers } from './handlers.js';
import { createIdempotency } from './http/idempotency.js';
import { createRateLimiter } from './http/rate-limit.js';
import { createIds, type Ids } from './ids.js';
import { createLogger, type Logger } from './logger.js';
import { DEFAULT_HOST, type EmulatorOptions } from './options.js';
import { createPerform, createSteps } from './perform.js';
import { startSweep } from './resources/tokens/sweep.js';
import { createSandbox, type Sandbox } from './sandbox/sandbox.js';
import { SeededTenants } from './seeded-tenants.js';
import { StateKeeper } from './state-keeper.js';
import { createMemoryStore } from './store/memory-store.js';
import type { Store } from './store/store.js';

/** Everything that an emulator is made of; not listening yet. */
export interface Parts {
  app: FastifyInstance;
  context: Context;
  clock: AdjustableClock;
  seeded: SeededTenants;
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

function openBase(options: EmulatorOptions): Base {
  const logger = options.logger ?? createLogger();
  const clock = createClock(logger, options.clock);
  const sandbox = openSandbox(options, { clock, logger });
  return { logger, clock, ids: createIds(), store: createMemoryStore(), sandbox };
}

/** Puts an emulator together and loads its data. */
export async function openParts(options: EmulatorOptions): Promise<Parts> {
  const base = openBase(options);
  const { clock, ids, store, sandbox } = base;
  const directory = createDirectory(store);
  const dataDir = options.dataDir === undefined ? undefined : resolve(options.dataDir);
  const state = await StateKeeper.open(dataDir, () => ids.secret('control'));
  const seeded = new SeededTenants(
    { ...base, directory },
    {
      known: state.tenants,
      keys: options.keys ?? {},
      save: (credentials) => state.setTenants(credentials),
    },
  );
  const steps = createSteps(handlers);
  const context: Context = {
    ...base,
    options: {
      includedMonthlyTokens: options.includedMonthlyTokens ?? LIMITS.includedMonthlyActiveTokens,
      network: networkOf(options),
    },
    headers: headerNames(options.headerPrefix ?? DEFAULT_HEADER_PREFIX),
    directory,
    seeded,
    idempotency: createIdempotency(base),
    events: createEvents(),
    perform: createPerform(steps, () => context),
  };
  let ready = false;
  const control: Control = {
    context,
    clock,
    seeded,
    faults: new Faults(ids),
    ...(options.rateLimit !== false && {
      rateLimiter: createRateLimiter(clock, options.rateLimitScale ?? 1),
    }),
    token: state.controlToken,
    ready: () => ready,
  };
  const app = createApp(control, steps, {
    host: options.host ?? DEFAULT_HOST,
    allowOrigins: options.allowOrigins ?? [],
  });
  await seeded.align();
  await startSweep(context);
  await app.ready();
  ready = true;
  return {
    app,
    context,
    clock,
    seeded,
    state,
    async close() {
      ready = false;
      await app.close();
      clock.stop();
      await sandbox.close();
      await store.close();
      await state.setAddress(undefined);
    },
  };
}
