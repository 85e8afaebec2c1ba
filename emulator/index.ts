import { DEFAULT_HEADER_PREFIX, headerNames } from '../src/contract/headers.js';
import { LIMITS } from '../src/contract/limits.js';
import { createDirectory } from './access/directory.js';
import { createApp } from './app.js';
import { type AdjustableClock, createClock } from './clock.js';
import type { Context } from './context.js';
import { createEvents } from './events.js';
import { handlers } from './handlers.js';
import { createIds } from './ids.js';
import { createLogger } from './logger.js';
import type { EmulatorOptions } from './options.js';
import { createPerform, createSteps } from './perform.js';
import { startSweep } from './resources/tokens/sweep.js';
import { createMemoryStore } from './store/memory-store.js';
import { type Credentials, seedTenant } from './tenant-seed.js';

export type { EmulatorOptions } from './options.js';
export type { Credentials } from './tenant-seed.js';

/** A request in-process. */
export interface InjectRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface InjectResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** An emulator that runs, reachable in-process. */
export interface Emulator extends Credentials {
  readonly clock: AdjustableClock;
  /** Carries out a request without a socket: the same code, from the checks to the response. */
  inject(request: InjectRequest): Promise<InjectResponse>;
  /** Finishes what runs, writes everything down and frees the data directory. */
  close(): Promise<void>;
}

/** An emulator that listens. */
export interface RunningEmulator extends Emulator {
  /** `http://127.0.0.1:8787` */
  readonly url: string;
}

const DEFAULT_PORT = 8787;
const DEFAULT_HOST = '127.0.0.1';

async function open(options: EmulatorOptions) {
  const logger = options.logger ?? createLogger();
  const clock = createClock(logger, options.clock);
  const store = createMemoryStore();
  const directory = createDirectory(store);
  const steps = createSteps(handlers);
  const context: Context = {
    options: {
      includedMonthlyTokens: options.includedMonthlyTokens ?? LIMITS.includedMonthlyActiveTokens,
      network: options.network ?? { mode: 'loopback' },
    },
    headers: headerNames(options.headerPrefix ?? DEFAULT_HEADER_PREFIX),
    clock,
    ids: createIds(),
    logger,
    store,
    directory,
    events: createEvents(),
    perform: createPerform(steps, () => context),
  };
  const seed = seedTenant({ name: 'Emulator', ...(options.keys && { keys: options.keys }) }, context);
  await store.commit(seed.changes);
  await directory.load();
  await startSweep(context);
  const app = createApp(context, steps, {
    host: options.host ?? DEFAULT_HOST,
    allowOrigins: options.allowOrigins ?? [],
  });
  const emulator: Emulator = {
    ...seed.credentials,
    clock,
    async inject({ method, url, headers, body }) {
      const response = await app.inject({
        method: method as 'GET',
        url,
        ...(headers && { headers }),
        ...(body !== undefined && { payload: body }),
      });
      return {
        status: response.statusCode,
        headers: response.headers as InjectResponse['headers'],
        body: response.body,
      };
    },
    async close() {
      await app.close();
      clock.stop();
      await store.close();
    },
  };
  return { emulator, app };
}

/** The emulator in-process, without a socket: what `--local` uses. */
export async function openEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { emulator, app } = await open(options);
  await app.ready();
  return emulator;
}

/** Starts an emulator and answers when it accepts requests. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<RunningEmulator> {
  const { emulator, app } = await open(options);
  const url = await app.listen({ port: options.port ?? DEFAULT_PORT, host: options.host ?? DEFAULT_HOST });
  return { ...emulator, url };
}
